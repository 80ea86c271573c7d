import { expect } from "chai";
import { call } from "../client.ts";
import { askGraphql, logIn } from "../graphql.ts";
import { shopReads } from "../requests/schema-reads.ts";
import type { TestServer } from "../server.ts";
import type { Fixture } from "./fixtures.ts";

type Access = Pick<Fixture, "shopId" | "key" | "owner">;

const LISTS = ["products", "orders", "customers"] as const;

/** Fields whose values depend on the time of reading, count what reading adds, or are none of the shop's own. */
const passing = new Set([
  "availableScopes",
  "cashRoundings",
  "dailyOrders",
  "health",
  "hourlyAttempts",
  "hourlyRequests",
  "isBehind",
  "isSafeToRevoke",
  "lastUsedAt",
  "leased",
  "nextCursor",
  "total",
  "waiting",
  "waitsFor",
]);

/** Reads the lists of REST, a search, and a record of each list. */
export async function readAnswers(
  server: Pick<TestServer, "url">,
  { shopId, key }: Pick<Access, "shopId" | "key">,
): Promise<Fixture["answers"]> {
  const answers: Fixture["answers"] = {};
  const read = async (path: string) => {
    const { status, text, json } = await call(server, "GET", `/${shopId}/${path}`, { key });
    expect(status, text).to.equal(200);
    answers[path] = text;
    return json;
  };
  for (const list of LISTS) {
    const { [list]: records } = await read(`${list}?limit=250`);
    await read(`${list}/${records[0].id}`);
  }
  await read("products?search=mug");
  return answers;
}

/** Reads each field of the shop as its owner, by the documents of a release, or of the present schema. */
export async function readData(
  server: Pick<TestServer, "url">,
  { shopId, owner }: Pick<Access, "shopId" | "owner">,
  documents = shopReads(passing),
): Promise<Fixture["data"]> {
  const session = await logIn(server, owner);
  const read = async (document: string) => {
    const { data, errors } = await askGraphql(server, document, { id: shopId }, session);
    expect(errors, document).to.deep.equal([]);
    return [document, data] as const;
  };
  return Object.fromEntries(await Promise.all(documents.map(read)));
}
