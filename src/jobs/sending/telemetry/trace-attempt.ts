import { activeSpan, failSpan, traced } from "../../../platform/telemetry/tracing.ts";
import type { AttemptResult } from "../attempt-delivery.ts";
import type { DueDelivery } from "../read-due-deliveries.sql.ts";

/** Traces an attempt below the span that caused its event. The URL is left out, because it may hold a secret. */
export function traceAttempt(delivery: DueDelivery, attempt: () => Promise<AttemptResult>): Promise<AttemptResult> {
  return traced(
    () => ({
      name: `deliver ${delivery.topic}`,
      kind: "CLIENT",
      cause: delivery.traceParent,
      attributes: {
        "http.request.method": "POST",
        "messaging.message.id": delivery.eventId,
        "merchant_api.shop.id": delivery.shopId,
        "merchant_api.delivery.id": delivery.id,
        "merchant_api.attempt": delivery.attempts + 1,
      },
    }),
    async () => {
      const result = await attempt();
      const { status, errorClass } = result.outcome;
      if (status !== null) activeSpan()?.setAttribute("http.response.status_code", status);
      if (errorClass !== null) failSpan(errorClass);
      return result;
    },
  );
}
