import { readFileSync } from "node:fs";
import { buildSchema } from "graphql";
import { expect } from "chai";
import { topics } from "../../../src/core/model/webhooks/topics.ts";
import type { GraphqlAnswer } from "../../support/graphql.ts";
import { whileCommitsFail } from "../../support/postgres/failing-commits.ts";
import { changedResources, newRows, readShopRows, resources, type Row } from "../../support/postgres/shop-rows.ts";
import { useServer } from "../../support/server.ts";
import { eventsSince } from "../../support/webhooks/events.ts";
import { table, type Given } from "./event-table.ts";
import { Market } from "./market.ts";

const mutations = Object.values(buildSchema(readFileSync("schema.graphql", "utf8")).getMutationType()!.getFields());

describe("The events of mutations", () => {
  const server = useServer();

  it("are the declared events of the mutations", () => {
    const topicsOf = (name: string) =>
      Object.keys(table[name] ?? {}).flatMap((title) => title.match(/\w+\.\w+/g) ?? []);
    const tested = mutations.map(({ name }) => [name, [...new Set(topicsOf(name))].toSorted()]);
    const declared = mutations.map(({ name, description }) => {
      const [, topicList] = /\nEmits ([^]*)\.$/.exec(description!) ?? [];
      return [name, topicList?.split(", ").toSorted() ?? []];
    });
    expect(tested).to.deep.equal(declared);
  });

  for (const [mutation, cases] of Object.entries(table)) {
    describe(mutation, () => {
      const [[, first]] = Object.entries(cases) as [[string, Given]];
      for (const [title, given] of Object.entries(cases)) itEmits(mutation, title, given);
      itIsUndone(mutation, first);
    });
  }

  /** A new shop in which the mutation can run, and its stored rows. */
  async function begin(given: Given) {
    const market = new Market(server);
    await market.open();
    const variables = await given(market);
    await market.session();
    await eventsSince(server, market.shop);
    return { market, variables, before: await readShopRows(server, market.shop) };
  }

  function itEmits(mutation: string, title: string, given: Given): void {
    it(title, async () => {
      const { market, variables, before } = await begin(given);
      const answer = await market.send(mutation, variables);
      const after = await readShopRows(server, market.shop);
      const events = await eventsSince(server, market.shop);
      const results = [...events.map(({ topic }) => topic), ...codesOf(answer)];
      const [, outcome] = title.split(" → ");
      expect(results.toSorted().join(" ") || "nothing").to.equal(outcome!.split(" ").toSorted().join(" "));
      if (events.length === 0) expect(after).to.deep.equal(before);

      const changes = resources.map((resource) => ({ resource, found: changedResources(before, after, resource) }));
      for (const { topic, data } of events) expect(data).to.deep.equal(topics[topic].data.parse(data));
      for (const { resource, found } of changes) {
        const own = Map.groupBy(events, ({ data }) => data[`${resource}Id`]);
        expect([...own.keys()].filter(Boolean).toSorted()).to.deep.equal([...found.keys()].toSorted());
        for (const [id, { kind, row }] of found) {
          const stored = (before[`${resource}s`] ?? []).find((record) => record.id === id);
          let version = Number(stored?.version ?? 0);
          for (const { topic, data } of own.get(id)!) {
            const refund = newRows(before, after, "refunds").find((record) => record.order_id === id);
            expect(data).to.deep.include({
              ...shown[resource](row),
              ...(topic === "order.refunded" && refundOf(refund!)),
            });
            // A new order has its first version, which the event does not say.
            const next = topic === "order.created" ? 1 : Number(data.version);
            expect(next).to.be.greaterThan(version);
            version = next;
          }
          expect(version, `${resource} ${kind}`).to.equal(kind === "deleted" ? Number(row.version) + 1 : row.version);
        }
      }
    });
  }

  function itIsUndone(mutation: string, given: Given): void {
    it("changes nothing if its event cannot be stored, and can be repeated", async () => {
      const { market, variables, before } = await begin(given);
      const failed = await whileCommitsFail(server.databaseUrl, "events", () => market.send(mutation, variables));
      expect(codesOf(failed)).to.deep.equal(["INTERNAL_SERVER_ERROR"]);
      expect(await readShopRows(server, market.shop)).to.deep.equal(before);
      await market.send(mutation, variables);
      expect(await eventsSince(server, market.shop)).not.to.deep.equal([]);
    });
  }
});

/** What an event says of its record, from the stored row. */
const shown = {
  product: ({ id, handle }: Row) => ({ productId: id, handle }),
  order: ({ id, order_number: orderNumber }: Row) => ({ orderId: id, orderNumber }),
  customer: ({ id }: Row) => ({ customerId: id }),
};
const refundOf = ({ id, amount, currency }: Row) => ({ refundId: id, amount, currency });

/** The error codes of the response and of its items. */
function codesOf({ data, errors }: GraphqlAnswer): string[] {
  const items = Object.values<unknown>(data ?? {}).flatMap((result) => (Array.isArray(result) ? result : []));
  const ofItems = (items as { error: { code: string } | null }[]).flatMap(({ error }) => error?.code ?? []);
  return [...errors.map(({ extensions }) => extensions.code), ...ofItems];
}
