import { Field, Float, ID, Int, ObjectType } from "type-graphql";
import { TimestampScalar } from "../../model/scalars.ts";
import { ErrorClass } from "../../model/webhooks/error-class.ts";

/** The number of a delivery's attempts that are shown. */
export const MAX_ATTEMPTS_SHOWN = 50;

@ObjectType({ description: "A header of a request or of its answer.", simpleResolvers: true })
export class WebhookHeader {
  @Field(() => String, { description: "Its name, in lower case." })
  name!: string;

  @Field(() => String, { description: "Its value; *** in place of a secret." })
  value!: string;
}

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
    description:
      "True for a probe, which checks whether a suspended endpoint has recovered. A failed probe is not counted.",
  })
  isProbe!: boolean;

  @Field(() => Int, { nullable: true, description: "The HTTP status of the answer; null when none came." })
  responseStatus!: number | null;

  @Field(() => ErrorClass, { nullable: true, description: "The reason of its failure; null when it succeeded." })
  errorClass!: ErrorClass | null;

  @Field(() => String, {
    nullable: true,
    description: "The reason why it failed, in a sentence; null when it succeeded.",
  })
  error!: string | null;

  @Field(() => String, {
    nullable: true,
    complexity: 4,
    description: "The first 4 KiB of the answer's body, not decompressed; null when no answer came.",
  })
  responseBody!: string | null;

  @Field(() => [WebhookHeader], {
    nullable: true,
    description:
      "The headers that were sent, besides those of the connection: Host, Connection and Content-Length. The values of the endpoint's own are masked. Null when nothing was sent.",
  })
  requestHeaders!: WebhookHeader[] | null;

  @Field(() => [WebhookHeader], {
    nullable: true,
    description:
      "The answer's headers: the first 50 that fit into 8 KiB, with the first 1 KiB of each value. Those that may hold a secret, such as Set-Cookie, are masked. Null when no answer came.",
  })
  responseHeaders!: WebhookHeader[] | null;

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
