import { Field, ID, Int, ObjectType, registerEnumType } from "type-graphql";
import { pageOf } from "../../model/page.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import { ErrorClass } from "../../model/webhooks/error-class.ts";
import { DeliveryStatus } from "../../model/webhooks/event.entity.ts";

/** The number to which deliveries are counted, so that a million of them cost no more. */
export const MAX_DELIVERIES_COUNTED = 10_000;

registerEnumType(DeliveryStatus, {
  name: "WebhookDeliveryStatus",
  description: "What became of a delivery so far.",
  valuesConfig: {
    PENDING: { description: "It is to be sent, for the first time or again, or is being sent." },
    SUCCEEDED: { description: "The receiver took it." },
    FAILED: { description: "It is not sent any more." },
  },
});

export enum DeliveryWait {
  SCHEDULE = "SCHEDULE",
  PAUSED_ENDPOINT = "PAUSED_ENDPOINT",
  SUSPENDED_ENDPOINT = "SUSPENDED_ENDPOINT",
}

registerEnumType(DeliveryWait, {
  name: "WebhookDeliveryWait",
  description: "What the next attempt of a delivery waits for.",
  valuesConfig: {
    SCHEDULE: { description: "Its time, and its turn among what is due." },
    PAUSED_ENDPOINT: { description: "Somebody to unpause the endpoint." },
    SUSPENDED_ENDPOINT: { description: "The recovery of the endpoint, which the next probe checks." },
  },
});

/** A delivery as it is shown, with what it needs of its event. */
@ObjectType({ description: "One event on its way to one webhook endpoint.", simpleResolvers: true })
export class WebhookDelivery {
  shopId!: string;
  endpointId!: string;

  @Field(() => ID, { description: "Begins with whd_. Newer deliveries have later identifiers." })
  id!: string;

  @Field(() => ID, {
    description:
      "The event, which every endpoint hears of by this identifier: the body's id and the header webhook-id.",
  })
  eventId!: string;

  @Field(() => String, { description: "The topic of the event, such as product.created." })
  topic!: string;

  @Field(() => String, { description: "The JSON text that is signed and sent, byte for byte." })
  body!: string;

  @Field(() => Boolean, {
    description: "True for a test event, which staff requested. Its identifiers match no record.",
  })
  isTest!: boolean;

  @Field(() => DeliveryStatus, { description: "The status of the delivery." })
  status!: DeliveryStatus;

  @Field(() => Int, {
    description:
      "Attempts that count towards the ten that there are. Failed probes of a suspended endpoint do not, and a replay begins anew.",
  })
  attemptCount!: number;

  @Field(() => TimestampScalar, { description: "When the event happened." })
  createdAt!: Date;

  @Field(() => TimestampScalar, { nullable: true, description: "When the last attempt began; null before the first." })
  lastAttemptAt!: Date | null;

  @Field(() => TimestampScalar, {
    nullable: true,
    description:
      "When it is to be attempted next, or a little later when others come first: not before the probe while the endpoint is suspended. Null while the endpoint is paused, for a test that goes out at once, and when it is not attempted any more.",
  })
  nextAttemptAt!: Date | null;

  @Field(() => DeliveryWait, {
    nullable: true,
    description: "The reason why the next attempt waits; null when there will be none.",
  })
  waitsFor!: DeliveryWait | null;

  @Field(() => Int, { nullable: true, description: "The HTTP status of the last attempt's answer; null without one." })
  responseStatus!: number | null;

  @Field(() => ErrorClass, {
    nullable: true,
    description: "The reason of its last failure; null when it did not fail.",
  })
  errorClass!: ErrorClass | null;

  @Field(() => String, { nullable: true, description: "The reason, in a sentence; null when it did not fail." })
  error!: string | null;
}

@ObjectType({ description: "A page of webhook deliveries.", simpleResolvers: true })
export class WebhookDeliveryPage extends pageOf(WebhookDelivery) {
  @Field(() => Int, {
    description: `All matching deliveries, not only those of this page. More than ${MAX_DELIVERIES_COUNTED} are not counted: that many are shown.`,
  })
  declare total: number;
}
