import { Field, Int, ObjectType } from "type-graphql";
import { TimestampScalar } from "../../model/scalars.ts";
import { MAX_FAILED_COUNTED } from "./count-failed-deliveries.ts";

@ObjectType("WebhookReplayProgress", {
  description:
    "What replayFailedDeliveries took and did not attempt yet. Requests that follow each other are one replay.",
  simpleResolvers: true,
})
export class ReplayProgress {
  @Field(() => TimestampScalar, { description: "When it was asked for, the first time of several." })
  startedAt!: Date;

  @Field(() => Int, { description: "Deliveries that it took." })
  total!: number;

  @Field(() => Int, {
    description: `The number not attempted yet. Counting stops at ${MAX_FAILED_COUNTED}.`,
  })
  waiting!: number;

  @Field(() => TimestampScalar, {
    description:
      "When the last of them is to be attempted, at 50 a second. Later, and then in the past, while the endpoint is paused or suspended.",
  })
  lastAt!: Date;
}
