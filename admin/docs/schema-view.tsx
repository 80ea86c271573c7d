import styles from "./docs.module.css";
import { nameOf, resolve, type ApiDocument, type Schema } from "./document.ts";
import { Prose } from "./prose.tsx";
import { copy } from "./copy.ts";

/** The fields of an object, including nested ones. */
export function SchemaView({ document, schema }: { document: ApiDocument; schema: Schema }) {
  const { properties = {}, required = [] } = merge(document, schema);
  return (
    <dl className={styles.fields}>
      {Object.entries(properties).map(([name, property]) => {
        const inner = innerObject(document, property);
        return (
          <div key={name}>
            <dt>
              <code>{name}</code> <span className={styles.soft}>{describeType(document, property)}</span>
              {!required.includes(name) && <span className={styles.soft}> · {copy.parameters.optional}</span>}
            </dt>
            <dd>
              {property.description && <Prose text={property.description} />}
              <Bounds schema={resolve(document, property)} />
              {inner && (
                <details>
                  <summary>{copy.schema.fieldsOf(name)}</summary>
                  <SchemaView document={document} schema={inner} />
                </details>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** The constraints and the default of a value. */
export function Bounds({ schema }: { schema: Schema }) {
  const { enum: values, minimum, maximum, minLength, maxLength, maxItems, default: fallback } = schema;
  const bounds = [
    values && copy.schema.oneOf(values.map((value) => String(value)).join(", ")),
    minimum !== undefined && copy.schema.minimum(minimum),
    maximum !== undefined && copy.schema.maximum(maximum),
    minLength !== undefined && copy.schema.minLength(minLength),
    maxLength !== undefined && copy.schema.maxLength(maxLength),
    maxItems !== undefined && copy.schema.maxItems(maxItems),
    fallback !== undefined && copy.schema.default(fallback),
  ].filter(Boolean);
  return bounds.length > 0 && <p className={styles.soft}>{bounds.join("; ")}</p>;
}

/** Describes a type, such as "string or null" or "array of Variant". */
export function describeType(document: ApiDocument, schema: Schema): string {
  const resolved = resolve(document, schema);
  const base =
    resolved.type === "array"
      ? copy.schema.arrayOf(describeType(document, resolved.items!))
      : simpleType(schema, resolved);
  return resolved.nullable || schema.nullable ? copy.schema.orNull(base) : base;
}

function simpleType(schema: Schema, { type, format, properties }: Schema): string {
  if (properties) return nameOf(schema) ?? copy.schema.object;
  return format ? `${type ?? copy.schema.value} (${format})` : (type ?? copy.schema.value);
}

/** Merges the schemas of `allOf` into one. */
function merge(document: ApiDocument, schema: Schema): Schema {
  const resolved = resolve(document, schema);
  const parts = (resolved.allOf ?? []).map((part) => merge(document, part));
  return {
    ...resolved,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), resolved.properties),
    required: [...parts.flatMap(({ required = [] }) => required), ...(resolved.required ?? [])],
  };
}

function innerObject(document: ApiDocument, schema: Schema): Schema | undefined {
  const resolved = resolve(document, schema);
  if (resolved.type === "array") return innerObject(document, resolved.items!);
  return resolved.properties || resolved.allOf ? resolved : undefined;
}
