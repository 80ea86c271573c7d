import { ErrorClass } from "../../../src/core/model/webhooks/error-class.ts";
import type { AttemptResult } from "../../../src/jobs/sending/attempt-delivery.ts";
import type { DueDelivery } from "../../../src/jobs/sending/read-due-deliveries.sql.ts";
import { newId } from "../../../src/core/model/ids.ts";

/** The result of an attempt that was answered with this status. */
export function buildAttemptResult(delivery: Partial<DueDelivery>, status: number): AttemptResult {
  const isSuccess = status < 300;
  return {
    id: newId("att"),
    delivery: delivery as DueDelivery,
    startedAt: new Date(),
    requestHeaders: [],
    outcome: {
      status,
      errorClass: isSuccess ? null : ErrorClass.HTTP_STATUS,
      error: isSuccess ? null : `Responded with ${status}`,
      responseBody: "",
      responseHeaders: [],
      isSent: true,
      retryAfter: null,
      timings: { dns: null, connect: null, tls: null, firstByte: 1, total: 1 },
    },
  };
}
