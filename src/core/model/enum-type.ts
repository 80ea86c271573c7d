import { registerEnumType } from "type-graphql";

/** Makes a GraphQL enum of the values with these descriptions. The type of a value is `keyof typeof` the enum. */
export function enumType<Value extends string>(
  name: string,
  description: string,
  descriptions: Record<Value, string>,
): { readonly [Each in Value]: Each } {
  const values = Object.keys(descriptions) as Value[];
  const type = Object.fromEntries(values.map((value) => [value, value])) as { [Each in Value]: Each };
  const valuesConfig = Object.fromEntries(values.map((value) => [value, { description: descriptions[value] }]));
  registerEnumType<Record<string, string>>(type, { name, description, valuesConfig });
  return type;
}
