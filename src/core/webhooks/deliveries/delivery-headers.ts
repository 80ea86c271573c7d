import { createHmac } from "node:crypto";
import type { SigningSecrets } from "../endpoints/signing-secrets.ts";

const USER_AGENT = "MerchantAPI-Webhooks/1.0";

/** What the headers of a delivery tell of its event. */
export interface DescribedEvent {
  eventId: string;
  topic: string;
  /** True for a test event, which is sent once. Its failure does not affect the endpoint's health. */
  isTest: boolean;
  /** Null if unknown. */
  changed: string[] | null;
  /** Null for operators and the system. */
  actorId: string | null;
}

/**
 * The headers of an attempt that follow from its delivery and time. The log stores the others and is shown with these.
 * Before you change one of them, store it for as long as earlier attempts exist.
 */
export function deliveryHeaders(
  { eventId, topic, isTest, changed, actorId }: DescribedEvent,
  at: Date,
): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": USER_AGENT,
    "x-webhook-topic": topic,
    ...(isTest && { "x-webhook-test": "true" }),
    ...(changed && { "x-webhook-changed": changed.join(",") }),
    ...(actorId !== null && { "x-webhook-actor": actorId }),
    ...identifyMessage(eventId, at),
  };
}

/**
 * Signs a delivery: for `X-Webhook-Signature`, with the secret as shown, and for Standard Webhooks,
 * with the bytes that it encodes and one signature per valid secret.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signDelivery(options: {
  secrets: SigningSecrets;
  eventId: string;
  body: string;
  at: Date;
}): Record<string, string> {
  const { secrets, eventId, body, at } = options;
  const message = identifyMessage(eventId, at);
  const signatures = secrets.valid.map((secret) => {
    const decoded = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    return `v1,${createHmac("sha256", decoded).update(`${eventId}.${message["webhook-timestamp"]}.${body}`).digest("base64")}`;
  });
  return {
    "x-webhook-signature": `sha256=${createHmac("sha256", secrets.active).update(body).digest("hex")}`,
    ...message,
    "webhook-signature": signatures.join(" "),
  };
}

/** The headers that Standard Webhooks signs together with the body. */
function identifyMessage(eventId: string, at: Date) {
  return { "webhook-id": eventId, "webhook-timestamp": String(Math.floor(at.getTime() / 1000)) };
}
