import { Property } from "@mikro-orm/decorators/legacy";
import { Field, Float, Int, ObjectType, type ClassType } from "type-graphql";
import { TextArray } from "../../platform/postgres/types.ts";
import type { Fields, Values } from "./fields.ts";
import { DecimalScalar, TimestampScalar } from "./scalars.ts";

type FieldOptions = Exclude<Parameters<typeof Field>[1], undefined>;

const columns = new Map<unknown, object>([
  [Int, { type: "integer" }],
  [Float, { type: "real" }],
  [Boolean, { type: "boolean" }],
  [DecimalScalar, { type: "decimal", runtimeType: "string" }],
  [TimestampScalar, { type: "timestamptz" }],
]);

/** Declares a GraphQL field that is stored in a column of its type. Texts, IDs and enums are stored as text, and lists as `text[]`. */
export function Column(typeOf: () => object, options: FieldOptions): PropertyDecorator {
  return (target, name) => {
    const type = typeOf();
    const column = Array.isArray(type) ? { type: TextArray } : (columns.get(type) ?? { type: "text" });
    const { nullable } = options;
    Property({ ...column, ...(nullable && { nullable: true }) })(target, name as string);
    Field(typeOf, options)(target, name);
  };
}

/** The base class of a row with these fields, each stored in a column, beside those of `Base`. */
export function rowOf<Row extends object, Of extends Fields>(
  Base: Function & { prototype: Row },
  fields: Of,
): ClassType<Omit<Row, keyof Of> & Values<Of>> {
  @ObjectType({ simpleResolvers: true })
  abstract class StoredRow extends (Base as ClassType<object>) {}
  for (const [name, { type, options }] of Object.entries(fields)) {
    Column(() => type, options)(StoredRow.prototype, name);
  }
  return StoredRow as never;
}
