import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, Float, ID, Int, ObjectType } from "type-graphql";
import { Column } from "../column.ts";
import { field, objectOf } from "../fields.ts";
import { TimestampScalar } from "../scalars.ts";
import { ErrorClass } from "./error-class.ts";

/** A header's name and value, as logged. */
export type LoggedHeader = [name: string, value: string];

@ObjectType({ description: "A header of a request or a response.", simpleResolvers: true })
export class WebhookHeader extends objectOf({
  name: field(String, "The name, in lowercase."),
  value: field(String, "The value. Secrets are shown as ***."),
}) {}

/** An attempt. GraphQL adds the headers that are computed from its delivery. */
@Entity({ tableName: "delivery_attempts" })
@ObjectType("WebhookDeliveryAttempt", {
  description: "An attempt to deliver an event, kept for 30 days. It succeeded if it has no error class.",
  simpleResolvers: true,
})
export class LoggedAttempt {
  [PrimaryKeyProp]?: ["shopId", "deliveryId", "id"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  deliveryId!: string;

  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "The ID of the attempt, starting with att_." })
  id!: string;

  /** The number of this attempt since the delivery was created or replayed, from 1. */
  @Property({ type: "integer" })
  number!: number;

  @Column(() => Boolean, {
    description:
      "Whether this is a probe, which checks whether a suspended endpoint has recovered. A failed probe does not count.",
  })
  isProbe!: boolean;

  @Column(() => TimestampScalar, { description: "When the attempt started." })
  startedAt!: Date;

  @Column(() => Int, { nullable: true, description: "The HTTP status of the response. Null if there was none." })
  responseStatus!: number | null;

  @Column(() => ErrorClass, { nullable: true, description: "The error class. Null if the attempt succeeded." })
  errorClass!: ErrorClass | null;

  @Column(() => String, { nullable: true, description: "The error message. Null if the attempt succeeded." })
  error!: string | null;

  @Column(() => String, {
    nullable: true,
    complexity: 4,
    description: "The first 4 KiB of the response body, not decompressed. Null if there was no response.",
  })
  responseBody!: string | null;

  /** The headers that cannot be derived from the delivery. */
  @Property({ type: "json", columnType: "json", nullable: true })
  @Field(() => [WebhookHeader], {
    nullable: true,
    description:
      "The headers that were sent, except Host, Connection and Content-Length. The values of custom headers are masked. Null if nothing was sent.",
  })
  requestHeaders!: readonly LoggedHeader[] | null;

  @Property({ type: "json", columnType: "json", nullable: true })
  @Field(() => [WebhookHeader], {
    nullable: true,
    description:
      "The response headers: the first 50 that fit into 8 KiB, with the first 1 KiB of each value. Values that may contain a secret, such as Set-Cookie, are masked. Null if there was no response.",
  })
  responseHeaders!: readonly LoggedHeader[] | null;

  @Column(() => Float, {
    nullable: true,
    description:
      "The time of the DNS lookup, in milliseconds. Null if the connection was already open, or if there was no lookup.",
  })
  dnsMs!: number | null;

  @Column(() => Float, {
    nullable: true,
    description:
      "The time to open the connection, in milliseconds. Null if it was already open, or if the attempt failed before.",
  })
  connectMs!: number | null;

  @Column(() => Float, {
    nullable: true,
    description:
      "The time of the TLS handshake, in milliseconds. Null if the connection was already open, or if there was no handshake.",
  })
  tlsMs!: number | null;

  @Column(() => Float, {
    nullable: true,
    description:
      "The time from the start of the attempt to the first byte of the response, in milliseconds. Null if there was no response.",
  })
  firstByteMs!: number | null;

  @Column(() => Float, { description: "The total time of the attempt, in milliseconds." })
  totalMs!: number;

  /** Set for an acknowledged event: who received it from a pull endpoint at `startedAt`. `totalMs` is the time until then. */
  @Property({ type: "text", nullable: true })
  fetchedBy!: string | null;
}
