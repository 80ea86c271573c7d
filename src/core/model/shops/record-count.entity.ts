import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { OwnedRow } from "../shop-row.ts";

/** A partial count of a shop's records, maintained by triggers. The total is the sum of the slots. */
@Entity({ tableName: "record_counts" })
export class RecordCount extends OwnedRow {
  [PrimaryKeyProp]?: ["shopId", "resource", "status", "slot"];

  @PrimaryKey({ type: "text" })
  resource!: "products" | "orders" | "customers";

  /** Empty for records without a status. */
  @PrimaryKey({ type: "text" })
  status!: string;

  @PrimaryKey({ type: "smallint" })
  slot!: number;

  @Property({ type: "bigint", runtimeType: "string" })
  count!: string;
}
