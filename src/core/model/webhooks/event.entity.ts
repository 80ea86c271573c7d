import { OptionalProps, type Opt } from "@mikro-orm/core";
import { Entity, ManyToOne, Property } from "@mikro-orm/decorators/legacy";
import { WebhookEndpoint } from "./webhook-endpoint.entity.ts";
import { ShopRow } from "../shop-row.ts";

/** One change that happened in a shop, in the bytes in which every endpoint hears of it. */
@Entity({ tableName: "events" })
export class Event extends ShopRow {
  @Property({ type: "text" })
  topic!: string;

  @Property({ type: "text" })
  body!: string;

  @Property({ type: "timestamptz" })
  createdAt!: Date;

  /** The trace that the change was a part of, where traces are kept: attempts go on with it. */
  @Property({ type: "text", nullable: true })
  traceParent!: string | null;
}

export enum DeliveryStatus {
  PENDING = "PENDING",
  SUCCEEDED = "SUCCEEDED",
  FAILED = "FAILED",
}

/** One event addressed to one endpoint. Immutable: its state is in the two tables below. */
@Entity({ tableName: "deliveries" })
export class Delivery extends ShopRow {
  [OptionalProps]?: "isTest";

  @ManyToOne(() => Event, { joinColumns: ["shop_id", "event_id"], referencedColumnNames: ["shop_id", "id"] })
  event!: Event;

  @ManyToOne(() => WebhookEndpoint, {
    joinColumns: ["shop_id", "endpoint_id"],
    referencedColumnNames: ["shop_id", "id"],
  })
  endpoint!: WebhookEndpoint;

  /** The event's: lists of deliveries are narrowed by it. */
  @Property({ type: "text" })
  topic!: string;

  /** Staff asked for it, to see what comes of it. */
  @Property({ type: "boolean", default: false })
  isTest!: boolean;

  @Property({ type: "timestamptz" })
  createdAt!: Date;
}

/**
 * A delivery that has not succeeded: it is to be sent, or is not sent any more. This row is the truth: a job only
 * says when to look at it. When the delivery succeeds, the row is deleted: that is all that the most frequent end costs.
 */
@Entity({ tableName: "outstanding_deliveries" })
export class OutstandingDelivery extends Delivery {
  /** It goes out again with all that failed, in its turn. */
  @Property({ type: "boolean", default: false })
  isReplayed!: Opt<boolean>;

  @Property({ type: "text" })
  status!: DeliveryStatus.PENDING | DeliveryStatus.FAILED;

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
}

/** The view `delivery_states`: every delivery with its state. One that succeeded has its attempts in the log alone. */
export interface DeliveryState extends Omit<OutstandingDelivery, "status" | "isReplayed" | "attempts"> {
  status: DeliveryStatus;
  attempts: number | null;
}
