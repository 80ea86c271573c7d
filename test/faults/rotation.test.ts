import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { operator } from "../../src/core/access/actor.ts";
import { activateWebhookSecret, rotateWebhookSecret } from "../../src/core/webhooks/endpoints/signing-secrets.ts";
import { createWebhookEndpoint } from "../../src/core/webhooks/endpoints/endpoints.ts";
import { newId } from "../../src/core/model/ids.ts";
import { query } from "../support/database.ts";
import { madeDeliveries } from "../support/webhooks/deliveries.ts";
import { eventually } from "../support/eventually.ts";
import { buildShop } from "../support/factories.ts";
import { useServer } from "../support/server.ts";

const EVENTS = 10_000;
/** Events that are recorded at a time. */
const BATCH = 500;
const HOUR = 3_600_000;

interface Delivery {
  headers: Record<string, string>;
  body: string;
}

describe("A secret rotated during 10,000 deliveries", function () {
  this.timeout(180_000);
  const server = useServer({ worker: true });
  const received: Delivery[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
  });
  let shopId: string;
  let endpointId: string;
  let oldSecret: string;
  let newSecret: string;

  before("send them", async () => {
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    ({ id: shopId } = await buildShop(server.em));
    const { endpoint, secret } = await createWebhookEndpoint(operation(), services(), {
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      topics: ["product.updated"],
    });
    [endpointId, oldSecret] = [endpoint.id, secret];
    await sendAcrossRotation();
  });

  after(() => {
    receiver.closeAllConnections();
    receiver.close();
  });

  const operation = () => ({ em: server.em, shop: { id: shopId }, actor: operator });
  const services = () => ({ encryption: server.app.core.encryption, webhooksAllowLoopback: true });
  /** As recordEvent does for each of them. */
  async function recordEvents(): Promise<void> {
    const createdAt = new Date().toISOString();
    const events = Array.from({ length: BATCH }, () => {
      const id = newId("evt");
      const data = { productId: newId("prod"), handle: "mug" };
      return {
        id,
        delivery: newId("whd"),
        body: JSON.stringify({ id, topic: "product.updated", shopId, createdAt, data }),
      };
    });
    await query(
      server.databaseUrl,
      `with recorded as (
        select * from json_to_recordset($3) as recorded (id text, delivery text, body text)
      ), event as (
        insert into events (shop_id, id, topic, body, created_at) select $1, id, 'product.updated', body, $4 from recorded
      ), ${madeDeliveries(
        "shop_id, id, event_id, endpoint_id, topic, status, attempts, created_at, next_attempt_at",
        "select $1, delivery, id, $2, 'product.updated', 'PENDING', 0, $4::timestamptz, $4::timestamptz from recorded",
      )}
      select graphile_worker.add_job('send-webhooks', json_build_object('shopId', $1::text, 'endpointId', $2::text))`,
      [shopId, endpointId, JSON.stringify(events), createdAt],
    );
  }

  /** Rotates when half of the events have been received, activates after another quarter, while more are under way. */
  async function sendAcrossRotation(): Promise<void> {
    const writing = (async () => {
      for (let recorded = 0; recorded < EVENTS; recorded += BATCH) await recordEvents();
    })();
    await arrived(EVENTS / 2);
    const activeAt = new Date(Date.now() + HOUR);
    newSecret = await rotateWebhookSecret(operation(), services(), endpointId, { overlapHours: 24, activeAt });
    await arrived((EVENTS * 3) / 4);
    await activateWebhookSecret(operation(), endpointId);
    await writing;
    await arrived(EVENTS);
  }

  const arrived = (count: number) =>
    eventually(
      () => received.length,
      (found) => found >= count,
      120_000,
    );

  /** The requests that a receiver with these verifiers would reject; one of them must agree. */
  const rejectedBy = (...accepts: ((delivery: Delivery) => boolean)[]) =>
    received.filter((delivery) => !accepts.some((accept) => accept(delivery)));

  it("loses no delivery", () => {
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).to.equal(EVENTS);
  });

  for (const [name, verifier] of [
    ["standardwebhooks", standard],
    ["svix", svix],
  ] as const) {
    it(`is accepted by receivers that use ${name} with either secret`, () => {
      const [byOld, byNew] = [verifier(oldSecret), verifier(newSecret)];
      const [before, during] = [received.filter((one) => !hasBoth(one)), received.filter(hasBoth)];
      expect(rejectedBy(byOld), "by one that has the old secret").to.deep.equal([]);
      expect(before.length).to.be.above(1_000);
      expect(during.length).to.be.above(1_000);
      expect(
        during.filter((delivery) => !byNew(delivery)),
        "by one that has the new secret",
      ).to.deep.equal([]);
      // Before it was made, nobody had it.
      expect(before.some(byNew)).to.equal(false);
      expect(Math.min(...during.map(sentAt))).to.be.at.least(Math.max(...before.map(sentAt)) - 2);
    });
  }

  it("is accepted by receivers of X-Webhook-Signature with both secrets, before and after the switch", () => {
    const [byOld, byNew] = [specified(oldSecret), specified(newSecret)];
    expect(rejectedBy(byOld, byNew)).to.deep.equal([]);
    expect(received.filter(byOld).length).to.be.above(EVENTS / 2);
    expect(received.filter(byNew).length).to.be.above(100);
    expect(received.filter((delivery) => !hasBoth(delivery)).every(byOld)).to.equal(true);
  });
});

/** Returns true when a request was sent during the overlap. */
const hasBoth = ({ headers }: Delivery) => String(headers["webhook-signature"]).includes(" ");
const sentAt = ({ headers }: Delivery) => Number(headers["webhook-timestamp"]);

function standard(secret: string): (delivery: Delivery) => boolean {
  const webhook = new Webhook(secret);
  return ({ headers, body }) => holds(() => webhook.verify(body, headers));
}

function svix(secret: string): (delivery: Delivery) => boolean {
  const webhook = new SvixWebhook(secret);
  return ({ headers, body }) => holds(() => webhook.verify(body, headers));
}

/** Section 6 of the specification. */
function specified(secret: string): (delivery: Delivery) => boolean {
  return ({ headers, body }) => {
    const given = Buffer.from(String(headers["x-webhook-signature"]));
    const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
}

function holds(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
}
