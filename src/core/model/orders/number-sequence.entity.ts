import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { OwnedRow } from "../shop-row.ts";

/** The last number that a shop assigned to an order or a receipt. */
@Entity({ tableName: "number_sequences" })
export class NumberSequence extends OwnedRow {
  [PrimaryKeyProp]?: ["shopId", "name"];

  @PrimaryKey({ type: "text" })
  name!: "ORDER" | "RECEIPT";

  @Property({ type: "bigint", runtimeType: "string" })
  lastNumber!: string;
}
