import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import type { ErrorClass } from "./error-class.ts";

/** A header's name and value, as logged. */
export type LoggedHeader = [name: string, value: string];

/** An attempt to deliver an event, logged for 30 days. */
@Entity({ tableName: "delivery_attempts" })
export class LoggedAttempt {
  [PrimaryKeyProp]?: ["shopId", "deliveryId", "id"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  deliveryId!: string;

  @PrimaryKey({ type: "text" })
  id!: string;

  /** The number of this attempt since the delivery was created or replayed, from 1. */
  @Property({ type: "integer" })
  number!: number;

  /** True for a probe of a suspended endpoint. A failed probe does not count. */
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

  /** The headers that cannot be derived from the delivery. */
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
