import { identifyMessage } from "./sign-delivery.ts";

const USER_AGENT = "MerchantAPI-Webhooks/1.0";

/**
 * The headers of an attempt that follow from its delivery and time. The log stores the others and is shown with these.
 * Before you change one of them, store it for as long as earlier attempts exist.
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
