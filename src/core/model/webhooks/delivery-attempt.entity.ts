import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import type { ErrorClass } from "./error-class.ts";

/** A header's name and value, as attempts are logged with them. */
export type LoggedHeader = [name: string, value: string];

/** One attempt to deliver an event, as it is logged for 30 days. */
@Entity({ tableName: "delivery_attempts" })
export class LoggedAttempt {
  [PrimaryKeyProp]?: ["shopId", "deliveryId", "id"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  deliveryId!: string;

  @PrimaryKey({ type: "text" })
  id!: string;

  /** The number of this attempt since the delivery was made or replayed, from 1. */
  @Property({ type: "integer" })
  number!: number;

  /** True for a probe of a suspended endpoint. One that fails is not counted. */
  @Property({ type: "boolean" })
  isProbe!: boolean;

  @Property({ type: "timestamptz" })
  startedAt!: Date;

  @Property({ type: "integer", nullable: true })
  responseStatus!: number | null;

  @Property({ type: "text", nullable: true })
  errorClass!: ErrorClass | null;

  @Property({ type: "text", nullable: true })
  error!: string | null;

  @Property({ type: "text", nullable: true })
  responseBody!: string | null;

  /** Headers that the delivery does not tell. */
  @Property({ type: "json", columnType: "json", nullable: true })
  requestHeaders!: readonly LoggedHeader[] | null;

  @Property({ type: "json", columnType: "json", nullable: true })
  responseHeaders!: readonly LoggedHeader[] | null;

  @Property({ type: "real", nullable: true })
  dnsMs!: number | null;

  @Property({ type: "real", nullable: true })
  connectMs!: number | null;

  @Property({ type: "real", nullable: true })
  tlsMs!: number | null;

  @Property({ type: "real", nullable: true })
  firstByteMs!: number | null;

  @Property({ type: "real" })
  totalMs!: number;
}
