import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/** A part of how many records a shop has, kept by triggers: the total is the sum over the slots. */
@Entity({ tableName: "record_counts" })
export class RecordCount {
  [PrimaryKeyProp]?: ["shopId", "resource", "status", "slot"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "text" })
  resource!: "products" | "orders" | "customers";

  /** Empty where the records have none. */
  @PrimaryKey({ type: "text" })
  status!: string;

  @PrimaryKey({ type: "smallint" })
  slot!: number;

  @Property({ type: "bigint", runtimeType: "string" })
  count!: string;
}
