// Fetches and handles the events of a pull endpoint, with nothing but Node (22.18 or newer):
//   BASE_URL=https://… TOKEN=svt_… SHOP_ID=shop_… ENDPOINT_ID=whe_… node consumer.ts
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";

const { BASE_URL, TOKEN, SHOP_ID: shopId, ENDPOINT_ID: endpointId, DATABASE = "consumer.db" } = process.env;
if (!BASE_URL || !TOKEN || !shopId || !endpointId) throw new Error("A variable is missing");
const LONGEST_PAUSE = 30_000; // milliseconds

const RECEIVE = `mutation ($shopId: ID!, $endpointId: ID!) {
  receiveEvents(shopId: $shopId, endpointId: $endpointId, limit: 100, leaseSeconds: 60, waitSeconds: 20) { id event attempts }
}`;
const ACKNOWLEDGE = `mutation ($shopId: ID!, $endpointId: ID!, $ids: [ID!]!) {
  acknowledgeEvents(shopId: $shopId, endpointId: $endpointId, ids: $ids) { changed }
}`;
const EXTEND = `mutation ($shopId: ID!, $endpointId: ID!, $ids: [ID!]!, $leaseSeconds: Int!) {
  extendLease(shopId: $shopId, endpointId: $endpointId, ids: $ids, leaseSeconds: $leaseSeconds) { changed }
}`;

interface Event {
  id: string;
  topic: string;
  data: Record<string, unknown>;
}

interface Answer {
  data: { receiveEvents: { id: string; event: string; attempts: number }[] };
  errors?: { message: string }[];
}

async function ask(query: string, variables = {}): Promise<Answer["data"]> {
  const response = await fetch(`${BASE_URL}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ query, variables: { shopId, endpointId, ...variables } }),
    signal: AbortSignal.timeout(40_000),
  });
  const { data, errors } = (await response.json()) as Answer;
  if (errors) throw new Error(errors[0]!.message);
  return data;
}

const database = new DatabaseSync(DATABASE);
database.exec("create table if not exists handled (id text primary key, at text default current_timestamp)");
const insert = database.prepare("insert into handled (id) values (?) on conflict do nothing");

/** Handles an event once. Write your changes here too: they commit together with the id, or not at all. */
function handle({ id, topic, data }: Event): void {
  database.exec("begin immediate");
  try {
    if (insert.run(id).changes === 1) {
      if (topic === "order.paid") console.log(`Ship order ${data.orderNumber} (${id})`);
      else console.log(`Ignore ${topic} (${id})`);
    }
    database.exec("commit");
  } catch (error) {
    database.exec("rollback");
    throw error;
  }
}

for (let pause = 1_000; ;) {
  try {
    const { receiveEvents: received } = await ask(RECEIVE);
    const handled: string[] = [];
    for (const { id, event, attempts } of received) {
      try {
        handle(JSON.parse(event));
        handled.push(id);
      } catch (error) {
        // The others do not wait for it. It comes again: after 5 seconds, and later each time.
        console.error(String(error));
        await ask(EXTEND, { ids: [id], leaseSeconds: Math.min(5 * 2 ** (attempts - 1), 300) });
      }
    }
    if (handled.length > 0) {
      // After the commit: after a crash before this line, the events come again, and are known.
      await ask(ACKNOWLEDGE, { ids: handled });
      pause = 1_000;
    } else if (received.length > 0) throw new Error("No event could be handled");
    // The server is stopping, or too many wait.
    else await wait(1_000);
  } catch (error) {
    console.error(String(error));
    await wait(pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
}
