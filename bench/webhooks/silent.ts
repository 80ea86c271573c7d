import { Connection, type NamedQuery } from "../../src/platform/postgres/driver/connection.ts";
import { operator } from "../../src/core/access/actor.ts";
import { createProduct } from "../../src/core/products/create-product.ts";
import { updateProduct } from "../../src/core/products/edits/update-product.ts";
import { settle } from "../open-database.ts";
import { median, type Measurement } from "../report.ts";
import { playRounds } from "../rounds.ts";
import { makeShop } from "./endpoints.ts";
import { clock } from "../helper.ts";
import type { Stage } from "./stage.ts";

const CHANGES = 500;

/** Measures the cost of an event without subscribers: a product's change with and without its event. */
export async function* measureSilentEvents(stage: Stage): AsyncGenerator<Measurement> {
  const { em } = stage.app.core.orm;
  const shop = await makeShop(stage.app, "Silent");
  const product = await createProduct(
    { em, shop, actor: operator },
    { title: "Stoneware Mug", variants: [{ price: "14.5" }] },
  );
  let changes = 0;
  const change = () =>
    updateProduct(
      { em, shop, actor: operator },
      { id: product.id, request: { description: `Holds ${(changes += 1)} ml.` } },
    );
  const takeTurn = async (hasEvent: boolean) => {
    await settle(stage);
    return { p50: await timeChanges(change, hasEvent), statements: await countStatements(change, hasEvent) };
  };
  const sides = await playRounds(
    { ...stage, rounds: stage.settings.rounds, warmUp: 1 },
    { "without event": () => takeTurn(false), "with event": () => takeTurn(true) },
  );
  yield { name: "silent", title: "A product's change whose event nobody receives", sides };
}

async function timeChanges(change: () => Promise<void>, hasEvent: boolean): Promise<number> {
  const times: number[] = [];
  await watching(hasEvent, async () => {
    for (let count = 0; count < CHANGES; count += 1) {
      const startedAt = clock();
      await change();
      times.push(clock() - startedAt);
    }
  });
  return median(times);
}

async function countStatements(change: () => Promise<void>, hasEvent: boolean): Promise<number> {
  let count = 0;
  await watching(hasEvent, change, () => (count += 1));
  return count;
}

const nobody = { rows: [] };

/** Does the work. Without events, their insert is answered locally instead of being sent. */
async function watching(hasEvent: boolean, work: () => Promise<void>, onStatement?: () => void): Promise<void> {
  const prototype = Connection.prototype as unknown as { executeQuery: (statement: NamedQuery) => unknown };
  const { executeQuery } = prototype;
  prototype.executeQuery = function send(statement) {
    const isEvent = statement.sql.includes("insert into events");
    if (isEvent && !hasEvent) return Promise.resolve(nobody);
    onStatement?.();
    return executeQuery.call(this, statement);
  };
  try {
    await work();
  } finally {
    prototype.executeQuery = executeQuery;
  }
}
