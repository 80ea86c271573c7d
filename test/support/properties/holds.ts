import { expect } from "chai";
import fc from "fast-check";
import { query } from "../database.ts";
import type { TestServer } from "../server.ts";

/** Multiplies the number of runs: `FAST_CHECK_FACTOR=20 npx mocha …` makes twenty times as many. `FAST_CHECK_SEED` repeats a run. */
export const timesFactor = (runs: number) => runs * Number(process.env.FAST_CHECK_FACTOR ?? 1);

/** Registers a test of a property. fast-check prints the seed and the smallest counterexample when it fails. */
export function holds(what: string, runs: number, property: () => fc.IAsyncProperty<unknown>): void {
  const numRuns = timesFactor(runs);
  it(what, () => fc.assert(property(), { numRuns, includeErrorInReport: true })).timeout(20_000 + numRuns * 3_000);
}

/** Tables of created records, and of the events and jobs that announce them. */
export interface RowCounts {
  products: number;
  variants: number;
  events: number;
  deliveries: number;
  jobs: number;
  idempotencyKeys: number;
}

export async function countRows(server: TestServer): Promise<RowCounts> {
  const [counts] = await query<RowCounts>(
    server.databaseUrl,
    `select (select count(*) from products)::int as products,
            (select count(*) from variants)::int as variants,
            (select count(*) from events)::int as events,
            (select count(*) from deliveries)::int as deliveries,
            (select count(*) from graphile_worker.jobs)::int as jobs,
            (select count(*) from idempotency_keys)::int as "idempotencyKeys"`,
  );
  return counts!;
}

/** @throws AssertionError unless each create stored one row of each kind, and nothing else stored anything */
export async function expectGrowth(
  server: TestServer,
  before: RowCounts,
  { created, keys }: { created: number; keys: number },
): Promise<void> {
  expect(await countRows(server)).to.deep.equal({
    products: before.products + created,
    variants: before.variants + created,
    events: before.events + created,
    deliveries: before.deliveries + created,
    jobs: before.jobs + created,
    idempotencyKeys: before.idempotencyKeys + keys,
  });
}
