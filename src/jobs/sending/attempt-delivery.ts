import type { DatabaseClock } from "../../platform/postgres/database-clock.ts";
import type { Encryption } from "../../platform/encryption.ts";
import { MASKED, maskSecrets } from "../../platform/mask-secrets.ts";
import { memoize } from "../../platform/memoize.ts";
import { traceParent } from "../../platform/telemetry/tracing.ts";
import { newId } from "../../core/model/ids.ts";
import { openSigningSecrets } from "../../core/webhooks/endpoints/signing-secrets.ts";
import { deliveryHeaders, signDelivery } from "../../core/webhooks/deliveries/delivery-headers.ts";
import type { LoggedHeader } from "../../core/model/webhooks/delivery-attempt.entity.ts";
import { openHeaders } from "../../core/webhooks/endpoints/endpoint-headers.ts";
import type { DueDelivery } from "./read-due-deliveries.sql.ts";
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
  /** Request headers that are not derived from the delivery, with secrets and signatures masked. Null when nothing was sent. */
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
  const signed = signDelivery({ secrets, eventId, body, at: startedAt });
  const trace = traceParent();
  const headers = {
    ...own,
    ...known,
    ...signed,
    ...(trace !== undefined && { traceparent: trace }),
  };
  const outcome = await transport.post(delivery.url, headers, body);
  const { search, searchParams } = new URL(delivery.url);
  const query = [search.slice(1), ...searchParams.values()];
  const hideOwn = hidingOwn(...Object.values(own), ...query, ...secrets.valid);
  const hideSignatures = hiding(...signaturesIn(signed));
  const hide = (text: string) => hideSignatures(hideOwn(text));
  const logged = Object.entries(headers)
    .filter(([name]) => !Object.hasOwn(known, name))
    .map<LoggedHeader>(([name, value]) => [name, Object.hasOwn(own, name) ? MASKED : hide(value)]);
  return {
    id: newId("att"),
    delivery,
    startedAt,
    outcome: hideIn(outcome, hide),
    requestHeaders: outcome.isSent ? logged : null,
  };
}

function signaturesIn({ "x-webhook-signature": one = "", "webhook-signature": many = "" }: Record<string, string>) {
  return [one, ...many.split(" ")].map((signature) => signature.replace(/^(sha256=|v1,)/, ""));
}

/** Masks secrets in an answer that repeats them. */
function hideIn(outcome: AttemptOutcome, hide: (text: string) => string): AttemptOutcome {
  const { responseBody, responseHeaders } = outcome;
  return {
    ...outcome,
    responseBody: responseBody && maskSecrets(hide(responseBody)),
    responseHeaders: responseHeaders && responseHeaders.map(([name, value]) => [name, maskSecrets(hide(value))]),
  };
}

/** Makes the function that masks these values, as text, in JSON and in a URL, and their beginning at the end of a cut text. */
function hiding(...values: string[]): (text: string) => string {
  // A credential is also repeated without its scheme, and a signing secret without its prefix.
  const plain = values.flatMap((value) => [value, value.slice(value.indexOf(" ") + 1), value.replace(/^whsec_/, "")]);
  const forms = [...new Set(plain)]
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])
    .flatMap((value) => [value, value.replaceAll("/", "\\/")])
    .filter(({ length }) => length >= SHORTEST_SECRET);
  // Longest first, because one value may start with another.
  const secrets = [...new Set(forms)].toSorted((left, right) => right.length - left.length);
  return (text) => {
    const hidden = secrets.reduce((part, secret) => part.replaceAll(secret, MASKED), text);
    const cut = secrets.map((secret) => endLength(hidden, secret));
    const length = Math.max(0, ...cut);
    return length === 0 ? hidden : hidden.slice(0, -length) + MASKED;
  };
}

/** Memoized, because the spellings of an endpoint's secrets take longer than a signature. */
const hidingOwn = memoize(hiding);

/** The number of characters at the end of the text with which the secret begins. */
function endLength(text: string, secret: string): number {
  // Most texts contain no secret, and this runs for each header of each attempt.
  if (!text.includes(secret.slice(0, SHORTEST_SECRET))) return 0;
  for (let length = secret.length - 1; length >= SHORTEST_SECRET; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}
