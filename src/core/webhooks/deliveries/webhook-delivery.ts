import { Field, ID, Int, ObjectType } from "type-graphql";
import { enumType } from "../../model/enum-type.ts";
import { extensionOf, field, nullable } from "../../model/fields.ts";
import { pageOf } from "../../model/page.ts";
import { orOwn, Permission, ReadableWith } from "../../model/permissions.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import { DeletedWebhookEndpoint } from "../../model/webhooks/deleted-endpoint.entity.ts";
import { ErrorClass } from "../../model/webhooks/error-class.ts";
import { DeliveryStatus, EventChange } from "../../model/webhooks/event.entity.ts";
import { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";
import type { ListedWebhookEndpoint } from "../health/read-endpoints.ts";
import type { AttemptRow } from "./delivery-attempts.ts";

/** The limit of counting deliveries, so that a million cost no more. */
export const MAX_DELIVERIES_COUNTED = 10_000;

export const DeliveryWait = enumType("WebhookDeliveryWait", "What the next attempt of a delivery waits for.", {
  SCHEDULE: "The scheduled time, and its turn among due deliveries.",
  PAUSED_ENDPOINT: "The endpoint to be resumed.",
  SUSPENDED_ENDPOINT: "The endpoint to recover, which the next probe checks.",
  RECEIVER: "A service to receive and acknowledge it, at a pull endpoint.",
});
export type DeliveryWait = keyof typeof DeliveryWait;

/** A delivery as shown, with what it needs of its event, endpoint and attempts. */
@ReadableWith(orOwn(Permission.READ_LOGS))
@ObjectType({ description: "The delivery of an event to a webhook endpoint.", simpleResolvers: true })
export class WebhookDelivery extends extensionOf(EventChange, {
  id: field(ID, "The ID of the delivery, starting with whd_. Newer deliveries sort after older ones."),
  eventId: field(
    ID,
    "The ID of the event, the same for every endpoint. Sent as id in the body and in the header webhook-id.",
  ),
  topic: field(String, "The topic of the event, such as product.created."),
  body: field(String, "The JSON body, exactly as signed and sent."),
  isTest: field(Boolean, "Whether this is a test event, requested by staff. The IDs in its body match no record."),
  status: field(DeliveryStatus, "The status of the delivery."),
  attemptCount: field(
    Int,
    "The number of attempts that count toward the limit of ten. Failed probes of a suspended endpoint do not count. A replay starts again at 0. At a pull endpoint, how often the event was received, and 0 if it was acknowledged before release 1.2.0.",
  ),
  createdAt: field(TimestampScalar, "When the event occurred."),
  lastAttemptAt: nullable(
    TimestampScalar,
    "When the last attempt started, or when the event was last received from a pull endpoint. Null before the first attempt.",
  ),
  nextAttemptAt: nullable(
    TimestampScalar,
    "When the next attempt is due. It can start later if other deliveries come first. While the endpoint is suspended, it waits for the next probe. Null while the endpoint is paused, for a test event that is sent immediately, and after the last attempt.",
  ),
  waitsFor: nullable(DeliveryWait, "What the next attempt waits for. Null after the last attempt."),
  responseStatus: nullable(Int, "The HTTP status of the last attempt's response. Null if there was none."),
  errorClass: nullable(ErrorClass, "The error class of the last failure. Null if it did not fail."),
  error: nullable(String, "The error message of the last failure. Null if it did not fail."),
  fetchedBy: nullable(ID, "The ID of the service or staff member that last received the event from a pull endpoint."),
  acknowledgedAt: nullable(
    TimestampScalar,
    "When the event was acknowledged at a pull endpoint. Null if it was before release 1.2.0.",
  ),
  deletedEndpoint: nullable(DeletedWebhookEndpoint, "The endpoint, if it was deleted. Null otherwise."),
}) {
  endpointId!: string;

  @Field(() => WebhookEndpoint, { nullable: true, description: "The endpoint. Null if it was deleted." })
  endpoint!: ListedWebhookEndpoint | null;

  attempts!: AttemptRow[];
}

@ObjectType({ description: "A page of webhook deliveries.", simpleResolvers: true })
export class WebhookDeliveryPage extends extensionOf(pageOf(WebhookDelivery), {
  total: field(Int, `The total number of matching deliveries, on all pages. Counted up to ${MAX_DELIVERIES_COUNTED}.`),
}) {}
