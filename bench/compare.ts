import { deepStrictEqual, strictEqual } from "node:assert";
import type { BenchData } from "./fill/shop.ts";
import { queryOnce, type BenchDatabase } from "./open-database.ts";
import { newProductBody, yardsticks } from "./routes.ts";
import type { Contestant } from "./servers.ts";

/** @throws AssertionError unless all servers do the same work: same answers for reads, same rows for a create */
export async function assertSameWork(
  contestants: Contestant[],
  database: BenchDatabase,
  data: BenchData,
): Promise<void> {
  for (const { name, requests } of yardsticks(data)) {
    const [request] = requests();
    const results = [];
    for (const { url } of contestants) {
      const address = url + request!.path;
      const headers = request!.headers as Record<string, string>;
      results.push(
        request!.method === "POST"
          ? await effectOf(() => fetch(address, { method: "POST", headers, body: newProductBody() }), database, data)
          : await answerOf(await fetch(address, { headers })),
      );
    }
    strictEqual(results[0]!.status, name === "yardstick/create" ? 201 : 200, name);
    for (const result of results.slice(1)) deepStrictEqual(result, results[0], name);
  }
}

async function answerOf(answer: Response) {
  return { status: answer.status, type: answer.headers.get("content-type"), body: await answer.json() };
}

/** The fields of the answer to a create, and the rows that it wrote. */
async function effectOf(send: () => Promise<Response>, database: BenchDatabase, { write }: BenchData) {
  const before = await countRows(database, write.id);
  const { status, body } = await answerOf(await send());
  const { product, ...rest } = body as { product: object };
  const after = await countRows(database, write.id);
  const rows = Object.entries(after).map(([table, count]) => [table, count - before[table]!]);
  return { status, shape: [Object.keys(product), rest], rows };
}

const tables = [
  ["products", "variants", "stock_changes", "events", "deliveries", "outstanding_deliveries"],
  ["graphile_worker._private_jobs"],
].flat();

async function countRows({ databaseUrl }: BenchDatabase, shopId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const narrowed = table.includes(".") ? "" : `where shop_id = '${shopId}'`;
    const [row] = await queryOnce(databaseUrl, `select count(*) from ${table} ${narrowed}`);
    counts[table] = Number(row!.count);
  }
  return counts;
}
