import { Field, Int, ObjectType } from "type-graphql";
import { TimestampScalar } from "../../model/scalars.ts";
import { MAX_FAILED_COUNTED } from "./count-failed-deliveries.ts";

@ObjectType("WebhookReplayProgress", {
  description: "The progress of replayFailedDeliveries. Consecutive requests count as one replay.",
  simpleResolvers: true,
})
export class ReplayProgress {
  @Field(() => TimestampScalar, { description: "When the replay was first requested." })
  startedAt!: Date;

  @Field(() => Int, { description: "The number of deliveries accepted for replay." })
  total!: number;

  @Field(() => Int, { description: `The number of deliveries not attempted yet. Counted up to ${MAX_FAILED_COUNTED}.` })
  waiting!: number;

  @Field(() => TimestampScalar, {
    description:
      "When the last of these deliveries is due, at 50 a second. While the endpoint is paused or suspended, they are sent later, and this time can be in the past.",
  })
  lastAt!: Date;
}
