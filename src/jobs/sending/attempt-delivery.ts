import type { DatabaseClock } from "../../platform/database-clock.ts";
import type { Encryption } from "../../platform/encryption.ts";
import { newId } from "../../platform/ids.ts";
import { openSigningSecrets } from "../../core/webhooks/signing-secrets.ts";
import { openHeaders } from "../../core/webhooks/endpoint-headers.ts";
import type { DueDelivery } from "./read-due-deliveries.ts";
import { signDelivery } from "../../core/webhooks/sign-delivery.ts";
import type { AttemptOutcome } from "../transport/exchange.ts";
import type { Transport } from "../transport/post-delivery.ts";

const USER_AGENT = "MerchantAPI-Webhooks/1.0";

/** What came of one attempt. */
export interface AttemptResult {
  /** Names the attempt. */
  id: string;
  delivery: DueDelivery;
  /** By PostgreSQL's clock. */
  startedAt: Date;
  outcome: AttemptOutcome;
}

export interface AttemptServices {
  encryption: Pick<Encryption, "open">;
  transport: Transport;
  clock: Pick<DatabaseClock, "now">;
}

/** Signs the stored bytes and posts them once. A receiver that fails is an outcome: what this throws is a fault of ours. */
export async function attemptDelivery(
  { encryption, transport, clock }: AttemptServices,
  delivery: DueDelivery,
): Promise<AttemptResult> {
  const { eventId, topic, body, isTest, target } = delivery;
  const startedAt = clock.now();
  const secrets = openSigningSecrets(encryption, target, startedAt);
  const headers = {
    ...openHeaders(encryption, target),
    "content-type": "application/json",
    "user-agent": USER_AGENT,
    "x-webhook-topic": topic,
    ...(isTest && { "x-webhook-test": "true" }),
    ...signDelivery({ secrets, eventId, body, at: startedAt }),
  };
  return { id: newId("att"), delivery, startedAt, outcome: await transport.post(target.url, headers, body) };
}
