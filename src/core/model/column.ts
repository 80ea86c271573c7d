import { Property } from "@mikro-orm/decorators/legacy";
import { Field, Float, Int } from "type-graphql";
import { TextArray } from "../../platform/postgres/types.ts";
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
export function Column(typeOf: () => object, options: FieldOptions & { nullable?: boolean }): PropertyDecorator {
  return (target, name) => {
    const type = typeOf();
    const column = Array.isArray(type) ? { type: TextArray } : (columns.get(type) ?? { type: "text" });
    const { nullable } = options;
    Property({ ...column, ...(nullable && { nullable }) })(target, name as string);
    Field(typeOf, options)(target, name);
  };
}
