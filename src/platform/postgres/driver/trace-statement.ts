import { tracedCall } from "../../telemetry/tracing.ts";

/**
 * Traces a statement that is sent. Its text is shown only when its values are not in it: MikroORM writes some into the
 * text, and they may be secrets.
 */
export function traceStatement<Result>(text: string, values: unknown, send: () => Promise<Result>): Promise<Result> {
  return tracedCall(() => {
    const hasParameters = Array.isArray(values) && values.length > 0;
    const attributes = { "db.system.name": "postgresql", ...(hasParameters && { "db.query.text": text }) };
    return { name: nameOf(text), kind: "CLIENT", attributes };
  }, send);
}

/** The first word, and the first table: `select products`. */
function nameOf(text: string): string {
  // Comments come first in some.
  const [operation = "statement"] = /[a-z]+/i.exec(text.replace(/\/\*.*?\*\//gs, "")) ?? [];
  const [, table] = /\b(?:from|into|update)\s+"?([a-z_]+)\b/i.exec(text) ?? [];
  return [operation.toLowerCase(), table].filter(Boolean).join(" ");
}
