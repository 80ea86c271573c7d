import { Field, Int, ObjectType, registerEnumType } from "type-graphql";
import { TimestampScalar } from "../../model/scalars.ts";

/** The limit of counting pending deliveries, so that a million cost no more. */
export const MAX_WAITING_COUNTED = 10_000;

export enum HealthStatus {
  HEALTHY = "HEALTHY",
  FAILING = "FAILING",
  SUSPENDED = "SUSPENDED",
  DISABLED = "DISABLED",
}

registerEnumType(HealthStatus, {
  name: "WebhookHealthStatus",
  description: "The health of a webhook endpoint.",
  valuesConfig: {
    HEALTHY: { description: "The last attempt succeeded, or there was none yet." },
    FAILING: { description: "Attempts failed since the last that succeeded. Deliveries are still sent." },
    SUSPENDED: {
      description:
        "Ten attempts in a row failed. Deliveries wait, and one at a time is sent as a probe to check whether the endpoint has recovered.",
    },
    DISABLED: { description: "Nothing is sent to it, except test events." },
  },
});

const DisabledReason = { GONE: "GONE", FAILING: "FAILING" } as const;

registerEnumType(DisabledReason, {
  name: "WebhookDisabledReason",
  description: "The reason why an endpoint was disabled.",
  valuesConfig: {
    GONE: { description: "The receiver answered 410 Gone." },
    FAILING: { description: "Every attempt of five days failed: ten or more, and none a day after the one before." },
  },
});

@ObjectType("WebhookEndpointHealth", {
  description: "The health of the endpoint, apart from whether staff paused it.",
  simpleResolvers: true,
})
export class EndpointHealth {
  shopId!: string;
  id!: string;

  @Field(() => HealthStatus, { description: "The health in one word." })
  status!: HealthStatus;

  @Field(() => Int, { description: "Failed attempts since the last that succeeded, or since a day without any." })
  consecutiveFailures!: number;

  @Field(() => TimestampScalar, { nullable: true, description: "When the first of them failed; null without any." })
  failingSince!: Date | null;

  @Field(() => TimestampScalar, {
    nullable: true,
    description: "The time of the next probe at the earliest; null unless the endpoint is suspended.",
  })
  nextProbeAt!: Date | null;

  @Field(() => TimestampScalar, {
    nullable: true,
    description:
      "When it is disabled at the earliest if no attempt succeeds; null when it is not failing, or is disabled.",
  })
  disablesAt!: Date | null;

  @Field(() => TimestampScalar, { nullable: true, description: "When it was disabled; null when it is not." })
  disabledAt!: Date | null;

  @Field(() => DisabledReason, { nullable: true, description: "The reason why it was disabled; null when it is not." })
  disabledReason!: keyof typeof DisabledReason | null;
}
