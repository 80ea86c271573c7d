import { randomBytes } from "node:crypto";
import type { Topic } from "../../../src/core/model/webhooks/topics.ts";
import { newId } from "../../../src/core/model/ids.ts";
import { exampleEvent } from "../../../src/rest/openapi-webhooks.ts";

export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** The body of a sample event with the current time. */
export function makeDelivery(topic: Topic): { eventId: string; body: string } {
  const eventId = newId("evt");
  return {
    eventId,
    body: JSON.stringify({ ...exampleEvent(topic), id: eventId, createdAt: new Date().toISOString() }),
  };
}
