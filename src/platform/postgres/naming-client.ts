import pg from "pg";

/** Begins a statement whose best plan depends on its values: PostgreSQL then plans it at each call. */
export const CUSTOM_PLAN = "/* custom plan */ ";

const MAX_NAMES = 500;
const names = new Map<string, string>();

/**
 * The time for which plans are kept, in milliseconds. While a table is small all its indexes cost the same, and the plan
 * may take one that gives it all rows of the shop. It would go on with that until autovacuum looks at the table, a minute
 * later or more: of a shop that is just being filled, 2,300 products were created in 15 s instead of 8,300. A new plan at
 * each call costs a quarter of the requests a second instead.
 */
const PLANS_KEPT = 3_000;

/** A connection that names the statements with parameters: PostgreSQL parses each once, and keeps its plan for a while. */
export class NamingClient extends pg.Client {
  #plannedAt = performance.now();

  // oxlint-disable-next-line typescript/no-explicit-any -- passes the many overloads of `query` through
  override query(text: any, values?: any, callback?: any): any {
    const name = typeof text === "string" && Array.isArray(values) ? nameOf(text, values) : undefined;
    if (name === undefined) return super.query(text, values, callback);
    const send = () => super.query({ name, text, values }, callback);
    return performance.now() - this.#plannedAt > PLANS_KEPT ? this.#discardPlans().then(send) : send();
  }

  /** Discards plans, or, in a transaction that has failed, leaves it for a while later. */
  async #discardPlans(): Promise<void> {
    this.#plannedAt = performance.now();
    await super.query("discard plans").catch(() => undefined);
  }
}

function nameOf(text: string, values: unknown[]): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (values.length === 0 || names.size >= MAX_NAMES || text.startsWith(CUSTOM_PLAN)) return undefined;
  const name = `merchant-api-${names.size + 1}`;
  names.set(text, name);
  return name;
}
