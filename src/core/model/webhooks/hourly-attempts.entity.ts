import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { OwnedRow } from "../shop-row.ts";

/** The attempts at an endpoint that started within one hour. */
@Entity({ tableName: "hourly_attempts" })
export class CountedHour extends OwnedRow {
  [PrimaryKeyProp]?: ["shopId", "hour", "endpointId"];

  @PrimaryKey({ type: "timestamptz" })
  hour!: Date;

  @PrimaryKey({ type: "text" })
  endpointId!: string;

  @Property({ type: "integer" })
  attempts!: number;

  @Property({ type: "integer" })
  failures!: number;

  /** The histogram of durations, with the buckets of `duration-histogram.ts`. */
  @Property({ type: "integer[]" })
  durations!: number[];
}
