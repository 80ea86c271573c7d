import { Field, Float, ID, Int, ObjectType } from "type-graphql";
import { TimestampScalar } from "../../model/scalars.ts";
import { ErrorClass } from "../../model/webhooks/error-class.ts";

/** The maximum number of attempts shown for a delivery. */
export const MAX_ATTEMPTS_SHOWN = 50;

@ObjectType({ description: "A header of a request or a response.", simpleResolvers: true })
export class WebhookHeader {
  @Field(() => String, { description: "The name, in lowercase." })
  name!: string;

  @Field(() => String, { description: "The value. Secrets are shown as ***." })
  value!: string;
}

@ObjectType("WebhookDeliveryAttempt", {
  description: "An attempt to deliver an event, kept for 30 days. It succeeded if it has no error class.",
  simpleResolvers: true,
})
export class DeliveryAttempt {
  @Field(() => ID, { description: "The ID of the attempt, starting with att_." })
  id!: string;

  @Field(() => TimestampScalar, { description: "When the attempt started." })
  startedAt!: Date;

  @Field(() => Boolean, {
    description:
      "Whether this is a probe, which checks whether a suspended endpoint has recovered. A failed probe does not count.",
  })
  isProbe!: boolean;

  @Field(() => Int, { nullable: true, description: "The HTTP status of the response. Null if there was none." })
  responseStatus!: number | null;

  @Field(() => ErrorClass, { nullable: true, description: "The error class. Null if the attempt succeeded." })
  errorClass!: ErrorClass | null;

  @Field(() => String, { nullable: true, description: "The error message. Null if the attempt succeeded." })
  error!: string | null;

  @Field(() => String, {
    nullable: true,
    complexity: 4,
    description: "The first 4 KiB of the response body, not decompressed. Null if there was no response.",
  })
  responseBody!: string | null;

  @Field(() => [WebhookHeader], {
    nullable: true,
    description:
      "The headers that were sent, except Host, Connection and Content-Length. The values of custom headers are masked. Null if nothing was sent.",
  })
  requestHeaders!: WebhookHeader[] | null;

  @Field(() => [WebhookHeader], {
    nullable: true,
    description:
      "The response headers: the first 50 that fit into 8 KiB, with the first 1 KiB of each value. Values that may contain a secret, such as Set-Cookie, are masked. Null if there was no response.",
  })
  responseHeaders!: WebhookHeader[] | null;

  @Field(() => Float, {
    nullable: true,
    description:
      "The time of the DNS lookup, in milliseconds. Null if the connection was already open, or if there was no lookup.",
  })
  dnsMs!: number | null;

  @Field(() => Float, {
    nullable: true,
    description:
      "The time to open the connection, in milliseconds. Null if it was already open, or if the attempt failed before.",
  })
  connectMs!: number | null;

  @Field(() => Float, {
    nullable: true,
    description:
      "The time of the TLS handshake, in milliseconds. Null if the connection was already open, or if there was no handshake.",
  })
  tlsMs!: number | null;

  @Field(() => Float, {
    nullable: true,
    description:
      "The time from the start of the attempt to the first byte of the response, in milliseconds. Null if there was no response.",
  })
  firstByteMs!: number | null;

  @Field(() => Float, { description: "The total time of the attempt, in milliseconds." })
  totalMs!: number;
}
