import { Field, Float, Int, ObjectType } from "type-graphql";
import { TimestampScalar } from "../../model/scalars.ts";

const ESTIMATED = "within 10 % from 1 ms on; null when there was no attempt.";

@ObjectType("HourlyWebhookAttempts", {
  description: "The attempts at a webhook endpoint that began within one hour, probes and test events included.",
  simpleResolvers: true,
})
export class HourlyAttempts {
  @Field(() => TimestampScalar, { description: "The beginning of the hour." })
  hour!: Date;

  @Field(() => Int, { description: "All attempts." })
  attempts!: number;

  @Field(() => Int, { description: "Attempts that failed." })
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
