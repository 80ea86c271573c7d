import { z } from "zod";
import { field, inputOf, nullable, type DescribedField, type Values } from "./fields.ts";

/**
 * A field that requests can set, stated once: the entity's column, the inputs and the checks of their values follow.
 * `Rule` checks a value, and has the value of a new record without one as its default.
 */
export interface EditableField<Rule extends z.ZodType = z.ZodType> {
  type: object;
  rule: Rule;
  /** Describes the field of a record. */
  description: string;
  /** Describes it in inputs. Like `description` if omitted. */
  limits?: string;
  /** A sentence for inputs of changes alone, instead of what null does. */
  changing?: string;
  /** Null leaves the field unchanged. Otherwise it clears the field if `rule` allows it, and is refused if not. */
  ignoresNull?: boolean;
  complexity?: number;
}

type EditableFields = Readonly<Record<string, EditableField>>;
type Rules<Of extends EditableFields> = { [Name in keyof Of]: Of[Name]["rule"] };
type WithoutDefault<Rule> = Rule extends z.ZodDefault<infer Inner> ? Inner : Rule;
type NewRecord<Of extends EditableFields> = z.input<z.ZodObject<Rules<Of>>>;
type ChangeRules<Of extends EditableFields> = { [Name in keyof Of]: z.ZodOptional<WithoutDefault<Of[Name]["rule"]>> };

export function editable<Rule extends z.ZodType>(
  type: object,
  rule: Rule,
  texts: Omit<EditableField, "type" | "rule">,
): EditableField<Rule> {
  return { type, rule, ...texts };
}

const describeRecord = ({ type, rule, description, complexity }: EditableField) =>
  (acceptsNull(rule) ? nullable : field)(type, description, { ...(complexity && { complexity }) });

type StoredFields<Of extends EditableFields> = { [Name in keyof Of]: DescribedField<z.output<Of[Name]["rule"]>> };

/** The columns of the fields that requests can set. */
export function storedFields<Of extends EditableFields>(fields: Of): StoredFields<Of> {
  return mapFields(fields, describeRecord) as StoredFields<Of>;
}

type NewFields<Of extends EditableFields> = {
  [Name in keyof Of]: DescribedField<NewRecord<Of>[Name & keyof NewRecord<Of>]>;
};

/** The fields of the input for a new record. */
export function newRecordFields<Of extends EditableFields>(fields: Of): NewFields<Of> {
  return mapFields(fields, ({ type, rule, description, limits = description }) => {
    if (acceptsNull(rule)) return nullable(type, limits);
    return field(type, limits, rule instanceof z.ZodDefault ? { defaultValue: rule.def.defaultValue } : {});
  }) as NewFields<Of>;
}

/** The base class of the input for a new record. */
export function newRecordOf<Of extends EditableFields>(fields: Of) {
  return inputOf(newRecordFields(fields));
}

type ChangedFields<Of extends EditableFields> = {
  [Name in keyof Of]: DescribedField<NewRecord<Of>[Name & keyof NewRecord<Of>] | null>;
};

export type Changes<Of extends EditableFields> = Partial<Values<ChangedFields<Of>>>;

/** The fields of the input for changes to a record. Each can be omitted. */
export function changedFields<Of extends EditableFields>(fields: Of): ChangedFields<Of> {
  return mapFields(fields, (each) => nullable(each.type, describeChange(each))) as ChangedFields<Of>;
}

/** The base class of the input for changes to a record. */
export function changesOf<Of extends EditableFields>(fields: Of) {
  return inputOf(changedFields(fields));
}

function describeChange({ rule, description, limits = description, ignoresNull, changing }: EditableField): string {
  if (changing) return `${limits} ${changing}`;
  if (ignoresNull) return `${limits} Null leaves it unchanged.`;
  return `${limits} ${acceptsNull(rule) ? "Null clears it." : "Cannot be null."}`;
}

/** Checks a new record. */
export function newRecordSchema<Of extends EditableFields>(fields: Of): z.ZodObject<Rules<Of>, z.core.$strict> {
  return z.strictObject(mapFields(fields, ({ rule }) => rule)) as never;
}

/** Checks the changes to a record. Each field can be omitted. */
export function changesSchema<Of extends EditableFields>(fields: Of): z.ZodObject<ChangeRules<Of>, z.core.$strict> {
  const rules = mapFields(fields, ({ rule, ignoresNull }) => {
    const change = withoutDefault(rule);
    return ignoresNull ? change.nullish().transform((value) => value ?? undefined) : change.optional();
  });
  return z.strictObject(rules) as never;
}

const withoutDefault = (rule: z.ZodType) => (rule instanceof z.ZodDefault ? (rule.unwrap() as z.ZodType) : rule);
const acceptsNull = (rule: z.ZodType) => rule.safeParse(null).success;

function mapFields<Value>(fields: EditableFields, valueOf: (field: EditableField) => Value): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, valueOf(each)]));
}
