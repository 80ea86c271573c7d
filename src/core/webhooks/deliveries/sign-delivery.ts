import { createHmac } from "node:crypto";
import type { SigningSecrets } from "../endpoints/signing-secrets.ts";

/**
 * The headers that prove a delivery came from us: the specification's (section 6), keyed with the secret as
 * it was shown, and those of Standard Webhooks, keyed with the bytes that the secret encodes, with one
 * signature by each secret that is valid.
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

/** The headers that Standard Webhooks signs with the body. */
export function identifyMessage(eventId: string, at: Date) {
  return { "webhook-id": eventId, "webhook-timestamp": String(Math.floor(at.getTime() / 1000)) };
}
