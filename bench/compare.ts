import { deepStrictEqual, strictEqual } from "node:assert";
import type { App } from "../src/app.ts";
import type { BenchData } from "./fill.ts";
import { newProductBody, requestsOf } from "./measure.ts";
import type { Contestant } from "./servers.ts";

/** @throws AssertionError unless both servers do the same work: same bytes for reads, same rows for a create */
export async function assertSameWork(contestants: Contestant[], app: App, data: BenchData): Promise<void> {
  for (const name of ["list", "single"] as const) {
    const [request] = requestsOf(name, data);
    const answers = [];
    for (const { url } of contestants) {
      const answer = await fetch(url + request!.path, { headers: plain(request!.headers) });
      answers.push({ status: answer.status, type: answer.headers.get("content-type"), body: await answer.text() });
    }
    strictEqual(answers[0]!.status, 200);
    deepStrictEqual(answers[0], answers[1]);
  }
  const effects = [];
  for (const { url } of contestants) {
    const [request] = requestsOf("create", data);
    const before = await countRows(app, data);
    const headers = plain(request!.headers);
    const answer = await fetch(url + request!.path, { method: "POST", headers, body: newProductBody() });
    const { product, ...rest } = (await answer.json()) as { product: object };
    const after = await countRows(app, data);
    effects.push({
      status: answer.status,
      shape: [Object.keys(product), rest],
      rows: Object.entries(after).map(([table, count]) => [table, count - before[table]!]),
    });
  }
  strictEqual(effects[0]!.status, 201);
  deepStrictEqual(effects[0], effects[1]);
}

const tables = ["products", "variants", "stock_changes", "events", "deliveries", "graphile_worker._private_jobs"];

async function countRows(app: App, { write }: BenchData): Promise<Record<string, number>> {
  const connection = app.core.orm.em.getConnection();
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const narrowed = table.includes(".") ? "" : `where shop_id = '${write.id}'`;
    const [row] = await connection.execute<{ count: string }[]>(`select count(*) from ${table} ${narrowed}`);
    counts[table] = Number(row!.count);
  }
  return counts;
}

/** Requests uncompressed answers, as the load generator does. */
function plain(headers: object | undefined): Record<string, string> {
  return { ...headers, "accept-encoding": "identity" };
}
