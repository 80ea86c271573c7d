import { createHmac } from "node:crypto";

/**
 * The headers that prove a delivery came from us: the specification's (section 6), keyed with the secret as
 * it was shown, and those of Standard Webhooks, keyed with the bytes that the secret encodes.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signDelivery(options: {
  secret: string;
  eventId: string;
  body: string;
  at: Date;
}): Record<string, string> {
  const { secret, eventId, body, at } = options;
  const timestamp = Math.floor(at.getTime() / 1000);
  const decoded = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", decoded).update(`${eventId}.${timestamp}.${body}`).digest("base64");
  return {
    "x-webhook-signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    "webhook-id": eventId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${signature}`,
  };
}
