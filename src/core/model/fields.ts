import type { GraphQLScalarType } from "graphql";
import { ArgsType, Field, InputType, ObjectType, type ClassType } from "type-graphql";

type FieldOptions = Extract<Parameters<typeof Field>[1], { defaultValue?: unknown }>;

/** The TypeScript type of values of a type as `@Field` names it: a scalar, a list, a class or an enum. */
type ValueOf<Type> = Type extends readonly [infer Item]
  ? ValueOf<Item>[]
  : Type extends GraphQLScalarType<infer Value, unknown>
    ? Value
    : Type extends StringConstructor
      ? string
      : Type extends BooleanConstructor
        ? boolean
        : Type extends ClassType<infer Instance>
          ? Instance
          : Type[keyof Type];

/** A field of a GraphQL type, stated once: the type of its property follows. */
export interface DescribedField<Value> {
  type: object;
  options: FieldOptions;
  /** Absent. It gives the field its type. */
  value?: Value;
}

export type Fields = Readonly<Record<string, DescribedField<unknown>>>;
export type Values<Of extends Fields> = {
  [Name in keyof Of]: Of[Name] extends DescribedField<infer Value> ? Value : never;
};
type OmittableOf<Of extends Fields> = {
  [Name in keyof Of]: null extends Values<Of>[Name] ? Name : undefined extends Values<Of>[Name] ? Name : never;
}[keyof Of];
/** Values of an input, where what can be null can be omitted. */
type Given<Of extends Fields> = Omit<Values<Of>, OmittableOf<Of>> & Partial<Pick<Values<Of>, OmittableOf<Of>>>;

export function field<const Type extends object>(
  type: Type,
  description: string,
  options: Omit<FieldOptions, "description" | "nullable"> = {},
): DescribedField<ValueOf<Type>> {
  return { type, options: { ...options, description } };
}

/** A field that can be null. In inputs, it can be omitted, too. */
export function nullable<const Type extends object>(
  type: Type,
  description: string,
  options: Pick<FieldOptions, "complexity"> = {},
): DescribedField<ValueOf<Type> | null> {
  return { type, options: { ...options, description, nullable: true } };
}

/** The base class of an object type with these fields. */
export function objectOf<Of extends Fields>(fields: Of): ClassType<Values<Of>> {
  return extensionOf(class {}, fields);
}

/** The base class of an object type with these fields, beside those of `Base`. */
export function extensionOf<Base extends object, Of extends Fields>(
  Base: Function & { prototype: Base },
  fields: Of,
): ClassType<Omit<Base, keyof Of> & Values<Of>> {
  @ObjectType({ simpleResolvers: true })
  abstract class ExtendedObject extends (Base as ClassType<object>) {}
  return declareFields(ExtendedObject as ClassType, fields);
}

/** The base class of an input type with these fields. */
export function inputOf<Of extends Fields>(fields: Of): ClassType<Given<Of>> {
  @InputType()
  class DescribedInput {}
  return declareFields(DescribedInput, fields);
}

/** The base class of arguments with these fields. */
export function argumentsOf<Of extends Fields>(fields: Of): ClassType<Given<Of>> {
  @ArgsType()
  class DescribedArguments {}
  return declareFields(DescribedArguments, fields);
}

function declareFields<Described extends object>(described: ClassType, fields: Fields): ClassType<Described> {
  for (const [name, { type, options }] of Object.entries(fields)) {
    Field(() => type, options)(described.prototype as object, name);
  }
  return described as ClassType<Described>;
}
