import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, Float, ID, Int, ObjectType } from "type-graphql";
import { rowOf } from "../column.ts";
import { field, nullable, objectOf } from "../fields.ts";
import { TimestampScalar } from "../scalars.ts";
import { ErrorClass } from "./error-class.ts";
import { OwnedRow } from "../shop-row.ts";

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
export class LoggedAttempt extends rowOf(OwnedRow, {
  isProbe: field(
    Boolean,
    "Whether this is a probe, which checks whether a suspended endpoint has recovered. A failed probe does not count.",
  ),
  startedAt: field(TimestampScalar, "When the attempt started."),
  responseStatus: nullable(Int, "The HTTP status of the response. Null if there was none."),
  errorClass: nullable(ErrorClass, "The error class. Null if the attempt succeeded."),
  error: nullable(String, "The error message. Null if the attempt succeeded."),
  responseBody: nullable(
    String,
    "The first 4 KiB of the response body, not decompressed. Null if there was no response.",
    { complexity: 4 },
  ),
  dnsMs: nullable(
    Float,
    "The time of the DNS lookup, in milliseconds. Null if the connection was already open, or if there was no lookup.",
  ),
  connectMs: nullable(
    Float,
    "The time to open the connection, in milliseconds. Null if it was already open, or if the attempt failed before.",
  ),
  tlsMs: nullable(
    Float,
    "The time of the TLS handshake, in milliseconds. Null if the connection was already open, or if there was no handshake.",
  ),
  firstByteMs: nullable(
    Float,
    "The time from the start of the attempt to the first byte of the response, in milliseconds. Null if there was no response.",
  ),
  totalMs: field(Float, "The total time of the attempt, in milliseconds."),
}) {
  [PrimaryKeyProp]?: ["shopId", "deliveryId", "id"];

  @PrimaryKey({ type: "text" })
  deliveryId!: string;

  @PrimaryKey({ type: "text" })
  @Field(() => ID, { description: "The ID of the attempt, starting with att_." })
  id!: string;

  /** The number of this attempt since the delivery was created or replayed, from 1. */
  @Property({ type: "integer" })
  number!: number;

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

  /** Set for an acknowledged event: who received it from a pull endpoint at `startedAt`. `totalMs` is the time until then. */
  @Property({ type: "text", nullable: true })
  fetchedBy!: string | null;
}
