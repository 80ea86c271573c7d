import { registerEnumType } from "type-graphql";

/** Makes a GraphQL enum of the values with these descriptions. The type of a value is `keyof typeof` the enum. */
export function enumType<Name extends string>(name: string, description: string, descriptions: Record<Name, string>) {
  return register(name, description, descriptions, (each) => each) as { readonly [Each in Name]: Each };
}

/** An enum whose values are the names in lowercase, such as columns. */
export function lowercaseEnum<Name extends string>(
  name: string,
  description: string,
  descriptions: Record<Name, string>,
) {
  return register(name, description, descriptions, (each) => each.toLowerCase()) as {
    readonly [Each in Name]: Lowercase<Each>;
  };
}

/** The value of an enum. */
export type ValueOf<Enum> = Enum[keyof Enum];

function register(
  name: string,
  description: string,
  descriptions: Record<string, string>,
  valueOf: (name: string) => string,
): Record<string, string> {
  const type = Object.fromEntries(Object.keys(descriptions).map((each) => [each, valueOf(each)]));
  const values = Object.entries(descriptions).map(([each, text]) => [each, { description: text }]);
  registerEnumType(type, { name, description, valuesConfig: Object.fromEntries(values) });
  return type;
}
