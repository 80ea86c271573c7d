import { identifyMessage } from "./sign-delivery.ts";

const USER_AGENT = "MerchantAPI-Webhooks/1.0";

/**
 * The headers of an attempt that its delivery and its time tell. The log has all others, and is shown with these: when
 * one of them changes, log it for as long as there are attempts from before.
 */
export function deliveryHeaders(
  { eventId, topic, isTest }: { eventId: string; topic: string; isTest: boolean },
  at: Date,
): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": USER_AGENT,
    "x-webhook-topic": topic,
    ...(isTest && { "x-webhook-test": "true" }),
    ...identifyMessage(eventId, at),
  };
}
