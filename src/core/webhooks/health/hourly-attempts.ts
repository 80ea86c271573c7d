import { Field, Float, Int, ObjectType } from "type-graphql";
import { TimestampScalar } from "../../model/scalars.ts";

const ESTIMATED = "accurate to 10 % from 1 ms. Null if there were no attempts.";

@ObjectType("HourlyWebhookAttempts", {
  description: "The delivery attempts to a webhook endpoint in one hour, including probes and test events.",
  simpleResolvers: true,
})
export class HourlyAttempts {
  @Field(() => TimestampScalar, { description: "The start of the hour." })
  hour!: Date;

  @Field(() => Int, { description: "The number of attempts." })
  attempts!: number;

  @Field(() => Int, { description: "The number of failed attempts." })
  failures!: number;

  @Field(() => Float, { nullable: true, description: `The median duration in milliseconds, ${ESTIMATED}` })
  p50Ms!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: `The 95th percentile of the duration in milliseconds, ${ESTIMATED}`,
  })
  p95Ms!: number | null;

  /** The histogram of durations, empty without attempts. */
  durations!: number[];
}
