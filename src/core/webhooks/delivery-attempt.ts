import { Field, Float, ID, Int, ObjectType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";
import { ErrorClass } from "./error-class.ts";

/** How many of a delivery's attempts are shown. */
export const MAX_ATTEMPTS_SHOWN = 50;

@ObjectType("WebhookDeliveryAttempt", {
  description:
    "One attempt to deliver an event, as it is logged: for 30 days. It succeeded when it has no error class.",
  simpleResolvers: true,
})
export class DeliveryAttempt {
  @Field(() => ID, { description: "Begins with att_." })
  id!: string;

  @Field(() => TimestampScalar, { description: "When it began." })
  startedAt!: Date;

  @Field(() => Boolean, {
    description: "Whether it asked if a suspended endpoint is well again. One that fails is not counted.",
  })
  isProbe!: boolean;

  @Field(() => Int, { nullable: true, description: "The HTTP status of the answer; null when none came." })
  responseStatus!: number | null;

  @Field(() => ErrorClass, { nullable: true, description: "Why it failed; null when it succeeded." })
  errorClass!: ErrorClass | null;

  @Field(() => String, { nullable: true, description: "A few words on why it failed; null when it succeeded." })
  error!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The first 4 KiB of the answer's body, not decompressed; null when no answer came.",
  })
  responseBody!: string | null;

  @Field(() => Float, {
    nullable: true,
    description: "The name's look-up, in milliseconds; null when the connection was open already, or without one.",
  })
  dnsMs!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: "Opening the connection, in milliseconds; null when it was open already, or did not come to that.",
  })
  connectMs!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: "The TLS handshake, in milliseconds; null when the connection was open already, or without one.",
  })
  tlsMs!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: "From the beginning of the attempt to the answer's first byte, in milliseconds; null when none came.",
  })
  firstByteMs!: number | null;

  @Field(() => Float, { description: "The whole attempt, in milliseconds." })
  totalMs!: number;
}
