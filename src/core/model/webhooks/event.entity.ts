import { OptionalProps, type Opt } from "@mikro-orm/core";
import { Entity, ManyToOne, Property } from "@mikro-orm/decorators/legacy";
import { ID, ObjectType } from "type-graphql";
import { ActedRow } from "../created-row.ts";
import { WebhookEndpoint } from "./webhook-endpoint.entity.ts";
import { ShopRow, shopReference } from "../shop-row.ts";
import { enumType } from "../enum-type.ts";
import { extensionOf, nullable } from "../fields.ts";

/** A change in a shop, with the body that is sent to every endpoint. */
@Entity({ tableName: "events" })
export class Event extends ShopRow {
  @Property({ type: "text" })
  topic!: string;

  @Property({ type: "text" })
  body!: string;

  @Property({ type: "timestamptz" })
  createdAt!: Date;

  /** The fields that changed. Null for all if unknown, and for topics without them. */
  @Property({ type: "text[]", nullable: true })
  changed!: string[] | null;

  /** The staff member or credential that made the change. Null for operators and the system. */
  @Property({ type: "text", nullable: true })
  actorId!: string | null;

  /** The trace of the change, if traces are on. Attempts continue it. */
  @Property({ type: "text", nullable: true })
  traceParent!: string | null;
}

/** What an event says about its change. */
@ObjectType({ simpleResolvers: true })
export abstract class EventChange extends extensionOf(ActedRow, {
  changed: nullable(
    [String],
    "The fields that changed, such as price, as in X-Webhook-Changed. Null for topics without them.",
  ),
  actorId: nullable(
    ID,
    "The ID of the API key, service token or staff member that made the change, as in X-Webhook-Actor. Null for operators and the system.",
  ),
}) {}

export const DeliveryStatus = enumType("WebhookDeliveryStatus", "The status of a delivery.", {
  PENDING: "Waiting to be sent, or being sent.",
  SUCCEEDED: "Accepted by the receiver.",
  FAILED: "Failed, with no attempts left.",
});
export type DeliveryStatus = keyof typeof DeliveryStatus;

/** An event for one endpoint. Immutable: its state is in the two tables below. */
@Entity({ tableName: "deliveries" })
export class Delivery extends ShopRow {
  [OptionalProps]?: "isTest";

  @ManyToOne(() => Event, shopReference("event_id"))
  event!: Event;

  @ManyToOne(() => WebhookEndpoint, shopReference("endpoint_id"))
  endpoint!: WebhookEndpoint;

  /** The event's topic, copied because lists of deliveries filter by it. */
  @Property({ type: "text" })
  topic!: string;

  /** True for a test event. */
  @Property({ type: "boolean", default: false })
  isTest!: boolean;

  @Property({ type: "timestamptz" })
  createdAt!: Date;
}

/**
 * A delivery that is pending or has failed. This row is authoritative: a job only causes it to be checked. Success
 * deletes the row, so the most frequent outcome is the cheapest.
 */
@Entity({ tableName: "outstanding_deliveries" })
export class OutstandingDelivery extends Delivery {
  /** True while it waits as part of a replay of failed deliveries. */
  @Property({ type: "boolean", default: false })
  isReplayed!: Opt<boolean>;

  @Property({ type: "text" })
  status!: Exclude<DeliveryStatus, "SUCCEEDED">;

  @Property({ type: "integer" })
  attempts!: number;

  @Property({ type: "integer", nullable: true })
  responseStatus!: number | null;

  @Property({ type: "text", nullable: true })
  errorClass!: string | null;

  @Property({ type: "text", nullable: true })
  error!: string | null;

  @Property({ type: "timestamptz", nullable: true })
  attemptedAt!: Date | null;

  @Property({ type: "timestamptz", nullable: true })
  nextAttemptAt!: Date | null;

  /** The caller who received it from a pull endpoint at `attemptedAt`. */
  @Property({ type: "text", nullable: true })
  fetchedBy!: string | null;
}

/** The view `delivery_states`: every delivery with its state. One that succeeded has its attempts in the log alone. */
export interface DeliveryState extends Omit<OutstandingDelivery, "status" | "isReplayed" | "attempts" | "fetchedBy"> {
  status: DeliveryStatus;
  attempts: number | null;
}
