import { Field, Int, ObjectType } from "type-graphql";
import { TimestampScalar } from "../../model/scalars.ts";
import { enumType } from "../../model/enum-type.ts";

/** The limit of counting pending deliveries, so that a million cost no more. */
export const MAX_WAITING_COUNTED = 10_000;

export const HealthStatus = enumType("WebhookHealthStatus", "The health of a webhook endpoint.", {
  HEALTHY: "The last attempt succeeded, or there were no attempts yet.",
  FAILING: "Attempts have failed since the last success. Deliveries are still sent.",
  SUSPENDED:
    "Ten attempts in a row failed. Deliveries of failing topics wait. One delivery of each is sent as a probe, to check whether it has recovered. Other topics are sent.",
  DISABLED: "Nothing is sent except test events.",
});
export type HealthStatus = keyof typeof HealthStatus;

const DisabledReason = enumType("WebhookDisabledReason", "The reason why an endpoint was disabled.", {
  GONE: "The receiver responded with 410 Gone.",
  FAILING: "All attempts in five days failed: at least ten, each within a day of the previous one.",
});
type DisabledReason = keyof typeof DisabledReason;

@ObjectType("WebhookFailingTopic", { description: "A topic whose deliveries fail.", simpleResolvers: true })
class FailingTopic {
  @Field(() => String, { description: "The topic, such as product.updated." })
  topic!: string;

  @Field(() => Int, { description: "The number of failed attempts since its last success." })
  failures!: number;
}

@ObjectType("WebhookEndpointHealth", {
  description: "The health of a webhook endpoint. Does not include whether it is paused.",
  simpleResolvers: true,
})
export class EndpointHealth {
  shopId!: string;
  id!: string;

  @Field(() => HealthStatus, { description: "The health status." })
  status!: HealthStatus;

  @Field(() => Int, {
    description: "The number of failed attempts since the last success, or since a day without attempts.",
  })
  consecutiveFailures!: number;

  @Field(() => TimestampScalar, {
    nullable: true,
    description: "When the first of these attempts failed. Null if there are none.",
  })
  failingSince!: Date | null;

  @Field(() => [FailingTopic], { description: "The failures by topic, most first. Empty if the endpoint is healthy." })
  failingTopics!: FailingTopic[];

  @Field(() => TimestampScalar, {
    nullable: true,
    description: "The earliest time of the next probe. Null unless the endpoint is suspended.",
  })
  nextProbeAt!: Date | null;

  @Field(() => TimestampScalar, {
    nullable: true,
    description:
      "The earliest time when the endpoint is disabled if no attempt succeeds, of any topic. Null if it is healthy or already disabled.",
  })
  disablesAt!: Date | null;

  @Field(() => TimestampScalar, {
    nullable: true,
    description: "When the endpoint was disabled. Null if it is not disabled.",
  })
  disabledAt!: Date | null;

  @Field(() => DisabledReason, {
    nullable: true,
    description: "The reason why the endpoint was disabled. Null if it is not disabled.",
  })
  disabledReason!: keyof typeof DisabledReason | null;
}
