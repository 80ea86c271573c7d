import { Field, InputType, type ClassType } from "type-graphql";
import { z } from "zod";
import { Column } from "./column.ts";

/**
 * A field that requests can set, stated once: the entity's column, the inputs and the checks of their values follow.
 * `Rule` checks a value, and has the value of a new record without one as its default.
 */
export interface EditableField<Rule extends z.ZodType = z.ZodType> {
  typeOf: () => object;
  rule: Rule;
  /** Describes the field of a record. */
  description: string;
  /** Describes it in inputs. Like `description` if omitted. */
  limits?: string;
  /** A sentence for inputs of changes alone. */
  changing?: string;
  complexity?: number;
}

/** The fields of an entity that requests can set, with rules for the types of its properties. */
export type EditableFields<Entity> = { readonly [Name in keyof Entity]?: EditableField<z.ZodType<Entity[Name]>> };

type Fields = Readonly<Record<string, EditableField>>;
type Rules<Of extends Fields> = { [Name in keyof Of]: Of[Name]["rule"] };
type WithoutDefault<Rule> = Rule extends z.ZodDefault<infer Inner> ? Inner : Rule;
type NewRecord<Of extends Fields> = z.input<z.ZodObject<Rules<Of>>>;
type Changes<Of extends Fields> = { [Name in keyof Of]?: NewRecord<Of>[Name & keyof NewRecord<Of>] | null };

export function editable<Rule extends z.ZodType>(
  typeOf: () => object,
  rule: Rule,
  texts: Omit<EditableField, "typeOf" | "rule">,
): EditableField<Rule> {
  return { typeOf, rule, ...texts };
}

/** Declares the column and the GraphQL field of a field that requests can set. */
export function Editable({ typeOf, rule, description, complexity }: EditableField): PropertyDecorator {
  const nullable = rule.safeParse(null).success;
  return Column(typeOf, { description, ...(nullable && { nullable }), ...(complexity && { complexity }) });
}

/** The base class of the input for a new record. */
export function newRecordOf<Of extends Fields>(fields: Of): ClassType<NewRecord<Of>> {
  return inputOf(fields, ({ rule, description, limits = description }) => {
    const defaultValue = rule instanceof z.ZodDefault ? rule.def.defaultValue : undefined;
    if (rule.safeParse(null).success) return { nullable: true, description: limits };
    return { description: limits, ...(defaultValue !== undefined && { defaultValue }) };
  });
}

/** The base class of the input for changes to a record. Each field can be omitted. */
export function changesOf<Of extends Fields>(fields: Of): ClassType<Changes<Of>> {
  return inputOf(fields, ({ description, limits = description, changing }) => ({
    nullable: true,
    description: changing ? `${limits} ${changing}` : limits,
  }));
}

/** Checks a new record. */
export function newRecordSchema<Of extends Fields>(fields: Of): z.ZodObject<Rules<Of>, z.core.$strict> {
  return z.strictObject(mapFields(fields, ({ rule }) => rule)) as never;
}

/** Checks the changes to a record. Each field can be omitted. */
export function changesSchema<Of extends Fields>(fields: Of) {
  return z.strictObject(rulesOf(fields)).partial();
}

/** The rules of the fields, without the values of a new record. */
export function rulesOf<Of extends Fields>(fields: Of): { [Name in keyof Of]: WithoutDefault<Of[Name]["rule"]> } {
  return mapFields(fields, ({ rule }) => (rule instanceof z.ZodDefault ? rule.unwrap() : rule)) as never;
}

type FieldOptions = Extract<Parameters<typeof Field>[1], { defaultValue?: unknown }>;

function inputOf<Input extends object>(
  fields: Fields,
  optionsOf: (field: EditableField) => FieldOptions,
): ClassType<Input> {
  @InputType()
  abstract class EditableInput {}
  for (const [name, field] of Object.entries(fields)) {
    Field(field.typeOf, optionsOf(field))(EditableInput.prototype, name);
  }
  return EditableInput as ClassType<Input>;
}

function mapFields(fields: Fields, valueOf: (field: EditableField) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valueOf(field)]));
}
