import type { DatabaseClock } from "../../platform/postgres/database-clock.ts";
import type { Encryption } from "../../platform/encryption.ts";
import { MASKED } from "../../platform/mask-secrets.ts";
import { traceParent } from "../../platform/telemetry/tracing.ts";
import { newId } from "../../core/model/ids.ts";
import { openSigningSecrets } from "../../core/webhooks/endpoints/signing-secrets.ts";
import { deliveryHeaders } from "../../core/webhooks/deliveries/delivery-headers.ts";
import type { LoggedHeader } from "../../core/model/webhooks/delivery-attempt.entity.ts";
import { openHeaders } from "../../core/webhooks/endpoints/endpoint-headers.ts";
import type { DueDelivery } from "./read-due-deliveries.sql.ts";
import { signDelivery } from "../../core/webhooks/deliveries/sign-delivery.ts";
import type { AttemptOutcome } from "../transport/exchange.ts";
import type { Transport } from "../transport/create-transport.ts";

/** Shorter values are not masked, because they are not secrets and may occur anywhere. Characters. */
const SHORTEST_SECRET = 8;

/** The result of one attempt. */
export interface AttemptResult {
  /** The id of the attempt. */
  id: string;
  delivery: DueDelivery;
  /** By PostgreSQL's clock. */
  startedAt: Date;
  outcome: AttemptOutcome;
  /** Request headers that are not derived from the delivery, with secrets masked. Null when nothing was sent. */
  requestHeaders: LoggedHeader[] | null;
}

export interface AttemptServices {
  encryption: Pick<Encryption, "open">;
  transport: Transport;
  clock: Pick<DatabaseClock, "now">;
}

/**
 * Signs the stored bytes and posts them once. A failing receiver is an outcome; errors that this throws are faults of
 * this process.
 */
export async function attemptDelivery(
  { encryption, transport, clock }: AttemptServices,
  delivery: DueDelivery,
): Promise<AttemptResult> {
  const { eventId, body } = delivery;
  const endpoint = { ...delivery, id: delivery.endpointId };
  const startedAt = clock.now();
  const secrets = openSigningSecrets(encryption, endpoint, startedAt);
  const own = openHeaders(encryption, endpoint);
  const known = deliveryHeaders(delivery, startedAt);
  const trace = traceParent();
  const headers = {
    ...own,
    ...known,
    ...signDelivery({ secrets, eventId, body, at: startedAt }),
    ...(trace !== undefined && { traceparent: trace }),
  };
  const outcome = await transport.post(delivery.url, headers, body);
  const logged = Object.entries(headers)
    .filter(([name]) => !Object.hasOwn(known, name))
    .map<LoggedHeader>(([name, value]) => [name, Object.hasOwn(own, name) ? MASKED : value]);
  return {
    id: newId("att"),
    delivery,
    startedAt,
    outcome: hideValues(outcome, Object.values(own)),
    requestHeaders: outcome.isSent ? logged : null,
  };
}

/** Masks the endpoint's own header values in an answer that repeats them. */
function hideValues(outcome: AttemptOutcome, values: readonly string[]): AttemptOutcome {
  const secrets = values
    .filter(({ length }) => length >= SHORTEST_SECRET)
    // Longest first, because one value may start with another.
    .toSorted((left, right) => right.length - left.length);
  const hide = (text: string) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, MASKED), text);
  const { responseBody, responseHeaders } = outcome;
  return {
    ...outcome,
    responseBody: responseBody && hide(responseBody),
    responseHeaders: responseHeaders && responseHeaders.map(([name, value]) => [name, hide(value)]),
  };
}
