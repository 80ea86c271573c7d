import { Property } from "@mikro-orm/decorators/legacy";
import { Float, Int, type ClassType } from "type-graphql";
import { TextArray } from "../../platform/postgres/types.ts";
import { extensionOf, type Fields, type Values } from "./fields.ts";
import { DecimalScalar, TimestampScalar } from "./scalars.ts";

/** The columns of types. Texts, IDs and enums are stored as text, and lists as `text[]`. */
const columns = new Map<unknown, object>([
  [Int, { type: "integer" }],
  [Float, { type: "real" }],
  [Boolean, { type: "boolean" }],
  [DecimalScalar, { type: "decimal", runtimeType: "string" }],
  [TimestampScalar, { type: "timestamptz" }],
]);

/** A row without columns. */
export abstract class Row {}

/** The base class of a row with these fields, each stored in a column, beside those of `Base`. */
export function rowOf<Base extends object, Of extends Fields>(
  Base: Function & { prototype: Base },
  fields: Of,
): ClassType<Omit<Base, keyof Of> & Values<Of>> {
  const StoredRow = extensionOf(Base, fields);
  for (const [name, { type, options }] of Object.entries(fields)) {
    const column = Array.isArray(type) ? { type: TextArray } : (columns.get(type) ?? { type: "text" });
    Property({ ...column, ...(options.nullable && { nullable: true }) })(StoredRow.prototype as object, name);
  }
  return StoredRow;
}
