import styles from "./docs.module.css";
import { nameOf, resolve, type ApiDocument, type Schema } from "./document.ts";
import { Prose } from "./prose.tsx";

/** The fields of an object, each with what it holds; those of objects in it below. */
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
              {!required.includes(name) && <span className={styles.soft}> · optional</span>}
            </dt>
            <dd>
              {property.description && <Prose text={property.description} />}
              <Bounds schema={resolve(document, property)} />
              {inner && (
                <details>
                  <summary>Fields of {name}</summary>
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

/** The bounds of a value, beyond its type. */
export function Bounds({ schema }: { schema: Schema }) {
  const { enum: values, minimum, maximum, minLength, maxLength, maxItems, default: fallback } = schema;
  const bounds = [
    values && `One of ${values.map((value) => String(value)).join(", ")}`,
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    minLength !== undefined && `at least ${minLength} characters`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    maxItems !== undefined && `at most ${maxItems} items`,
    fallback !== undefined && `${JSON.stringify(fallback)} unless given`,
  ].filter(Boolean);
  return bounds.length > 0 && <p className={styles.soft}>{bounds.join("; ")}</p>;
}

/** Such as "string or null", "array of Variant". */
export function describeType(document: ApiDocument, schema: Schema): string {
  const resolved = resolve(document, schema);
  const base =
    resolved.type === "array" ? `array of ${describeType(document, resolved.items!)}` : simpleType(schema, resolved);
  return resolved.nullable || schema.nullable ? `${base} or null` : base;
}

function simpleType(schema: Schema, { type, format, properties }: Schema): string {
  if (properties) return nameOf(schema) ?? "object";
  return format ? `${type ?? "value"} (${format})` : (type ?? "value");
}

/** One object of those that are said to hold all together. */
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
