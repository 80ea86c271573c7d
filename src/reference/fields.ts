import { nameOf, resolve, type ApiDocument, type Parameter, type Response, type Schema } from "./document.ts";

/** A parameter, or a field of a body. The texts are Markdown. */
export interface Field {
  name: string;
  type: string;
  /** The id of the type's section, if it has one. */
  typeId?: string;
  isRequired: boolean;
  description: string;
  /** Its constraints and its default. */
  notes: string;
  children: Field[];
}

/** The fields of an object, including nested ones. */
export function fieldsOf(document: ApiDocument, schema: Schema): Field[] {
  const { properties = {}, required = [] } = resolve(document, schema);
  return Object.entries(properties).map(([name, property]) => {
    const inner = innerObject(document, property);
    return {
      name,
      type: describeType(document, property),
      isRequired: required.includes(name),
      description: property.description ?? "",
      notes: describeBounds(resolve(document, property)),
      children: inner ? fieldsOf(document, inner) : [],
    };
  });
}

export function parameterField(document: ApiDocument, { name, required, description, schema }: Parameter): Field {
  return {
    name,
    type: describeType(document, schema),
    isRequired: required ?? false,
    description: description ?? "",
    notes: describeBounds(resolve(document, schema)),
    children: [],
  };
}

/** The headers of a response that the document explains. */
export function headerFields(document: ApiDocument, { headers = {} }: Response): Field[] {
  return Object.entries(headers).flatMap(([name, header]) => {
    const { description } = document.components.headers[nameOf(header) ?? ""] ?? header;
    return description ? [{ name, type: "string", isRequired: false, description, notes: "", children: [] }] : [];
  });
}

function describeBounds({ enum: values, default: fallback, ...bounds }: Schema): string {
  const { minimum, maximum, minLength, maxLength } = bounds;
  return [
    values && `One of ${values.map((value) => `\`${value}\``).join(", ")}.`,
    describeRange(minimum, maximum, ""),
    describeRange(minLength, maxLength, " characters"),
    fallback !== undefined && `Default: \`${JSON.stringify(fallback)}\`.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** Leaves out the bounds that every integer has. */
function describeRange(from: number | undefined, to: number | undefined, unit: string): string {
  const number = (value: number) => value.toLocaleString("en-US");
  const isLowest = from === undefined || from === Number.MIN_SAFE_INTEGER;
  const isHighest = to === undefined || to === Number.MAX_SAFE_INTEGER;
  if (!isLowest && !isHighest) return `${number(from)} to ${number(to)}${unit}.`;
  if (!isHighest) return `At most ${number(to)}${unit}.`;
  return isLowest ? "" : `At least ${number(from)}${unit}.`;
}

/** Describes a type, such as "string or null" or "array of Variant". */
function describeType(document: ApiDocument, schema: Schema): string {
  const resolved = resolve(document, schema);
  const base =
    resolved.type === "array" ? `array of ${describeType(document, resolved.items!)}` : simpleType(schema, resolved);
  return resolved.nullable || schema.nullable ? `${base} or null` : base;
}

function simpleType(schema: Schema, { type = "value", format, properties }: Schema): string {
  if (properties) return nameOf(schema) ?? "object";
  return format ? `${type} (${format})` : type;
}

function innerObject(document: ApiDocument, schema: Schema): Schema | undefined {
  const resolved = resolve(document, schema);
  if (resolved.type === "array") return innerObject(document, resolved.items!);
  return resolved.properties && resolved;
}
