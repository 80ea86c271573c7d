import { expect } from "chai";
import { eachShop } from "../../src/jobs/batches.ts";
import { Sender } from "../../src/jobs/sending/send-webhooks.ts";
import { buildShop } from "../support/factories.ts";
import { useServer } from "../support/server.ts";

/** As PostgreSQL reports a connection that failed. */
const unavailable = Object.assign(new Error("connection to the remote node failed"), { code: "08006" });

describe("While a node of a cluster is down", () => {
  const server = useServer({ own: "works through all shops" });

  it("scheduled work handles the shops on other nodes, and fails afterward", async () => {
    const shops = [await buildShop(server.em), await buildShop(server.em)].map(({ id }) => id).toSorted();
    const handled: string[] = [];
    const work = eachShop(server.em, new AbortController().signal, async (shopId) => {
      if (shopId === shops[0]) throw unavailable;
      handled.push(shopId);
    });
    expect(await work.catch((error: unknown) => error)).to.equal(unavailable);
    expect(handled).to.include(shops[1]);
  });

  it("webhooks to the endpoints on it are tried every ten seconds", async () => {
    const requeued: unknown[] = [];
    const lease = {
      acquire: async () => true,
      release: async () => undefined,
      holds: () => true,
      haveEnded: async () => true,
    };
    const sender = new Sender(lease, {
      read: () => Promise.reject(unavailable),
      failUndeliverable: async () => false,
      attempt: () => Promise.reject(new Error("nothing was read")),
      record: async () => undefined,
      postpone: async () => undefined,
      requeue: async (job, seconds) => void requeued.push([job, seconds]),
      reportFault: () => undefined,
    });
    const job = { shopId: "shop_1", endpointId: "whe_1" };
    await sender.send(job);
    expect(requeued).to.deep.equal([[{ ...job, until: "now" }, 10]]);
  });
});
