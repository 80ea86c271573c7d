import { expect } from "chai";
import { generateSecret } from "../../src/core/credentials/secret.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint } from "../support/factories.ts";
import { collectLines } from "../support/telemetry/log-lines.ts";
import { useWebhookShop } from "../support/webhooks/webhook-shop.ts";

const UPDATE = `mutation ($shopId: ID!, $id: ID!, $input: UpdateWebhookEndpointInput!) {
  updateWebhookEndpoint(shopId: $shopId, id: $id, input: $input) { headerNames }
}`;
const ATTEMPTS = `query ($shopId: ID!, $id: ID!) {
  shop(id: $shopId) { webhookDelivery(id: $id) { attempts {
    startedAt isProbe responseBody requestHeaders { name value } responseHeaders { name value }
  } } }
}`;

interface Header {
  name: string;
  value: string;
}

interface Attempt {
  startedAt: string;
  isProbe: boolean;
  responseBody: string | null;
  requestHeaders: Header[] | null;
  responseHeaders: Header[] | null;
}

const VALUE = "Bearer abracadabra";
/** Headers of the connection itself. */
const NOT_LOGGED = new Set(["host", "connection", "content-length"]);

const sorted = (headers: readonly (readonly [string, string])[]) =>
  headers.toSorted(([left], [right]) => (left < right ? -1 : 1));

describe("Custom headers of an endpoint", () => {
  const { logger, lines } = collectLines("trace");
  const shop = useWebhookShop({ worker: true, logger });
  const { server, receiver } = shop;

  beforeEach(async () => {
    lines.length = 0;
    await setHeaders({ authorization: VALUE, "x-env": "on" });
  });

  async function setHeaders(headers: Record<string, string>, id = shop.endpointId) {
    const input = { headers: Object.entries(headers).map(([name, value]) => ({ name, value })) };
    const { errors } = await shop.ask(UPDATE, { id, input });
    expect(errors).to.deep.equal([]);
  }

  const received = (count: number) =>
    eventually(
      () => receiver.received,
      (all) => all.length === count,
    );

  async function attemptsOf(id: string, count = 1): Promise<Attempt[]> {
    return eventually(
      async () => (await shop.ask(ATTEMPTS, { id })).data.shop.webhookDelivery.attempts as Attempt[],
      (attempts) => attempts.length === count,
    );
  }

  /** Sends a test event, and returns its attempt. */
  async function test(): Promise<Attempt> {
    return (await attemptsOf((await shop.sendTest()).id))[0]!;
  }

  it("are sent with events, retries, probes and test events, and logged without their values", async () => {
    receiver.status = 500;
    await shop.change(1);
    await received(1);
    const { id } = (await shop.deliveries())[0]!;
    await attemptsOf(id);
    await shop.setDeliveries("next_attempt_at = now()");
    await received(2);
    await attemptsOf(id, 2);
    await shop.setEndpoint(
      "consecutive_failures = 12, failing_since = now(), failing_topics = '{\"product.created\": 12}', probe_at = now()",
    );
    await shop.setDeliveries("next_attempt_at = now()");
    await received(3);
    const attempts = await attemptsOf(id, 3);
    expect(attempts.map(({ isProbe }) => isProbe)).to.deep.equal([false, false, true]);
    const sent = await shop.sendTest();
    await received(4);
    attempts.push(...(await attemptsOf(sent.id)));

    for (const [index, { headers }] of receiver.received.entries()) {
      expect(headers).to.include({ authorization: VALUE, "x-env": "on" });
      const own = { authorization: "***", "x-env": "***" };
      const signatures = { "x-webhook-signature": "sha256=***", "webhook-signature": "v1,***" };
      const masked = { ...(headers as Record<string, string>), ...own, ...signatures };
      const expected = Object.entries(masked).filter(([name]) => !NOT_LOGGED.has(name));
      const shown = attempts[index]!.requestHeaders!.map(({ name, value }) => [name, value] as const);
      expect(sorted(shown)).to.deep.equal(sorted(expected));
    }
    expect(receiver.received[3]!.headers).to.include({ "x-webhook-test": "true" });
    const audit = await shop.sql("select details from audit_entries where shop_id = $1");
    const stored = await shop.sql("select t::text as row from delivery_attempts t where shop_id = $1");
    expect(JSON.stringify(lines)).to.include("request");
    for (const place of [JSON.stringify(lines), JSON.stringify(audit), JSON.stringify(stored)]) {
      expect(place).not.to.include("abracadabra");
    }
  });

  it("change immediately, and logged attempts keep the earlier ones", async () => {
    const before = await test();
    await setHeaders({ "x-other": "hocuspocus" });
    const after = await test();
    expect(receiver.received[1]!.headers).to.include({ "x-other": "hocuspocus" });
    expect(receiver.received[1]!.headers).not.to.have.any.keys("authorization", "x-env");
    const names = ({ requestHeaders }: Attempt) => requestHeaders!.map(({ name }) => name);
    expect(names(before)).to.include.members(["authorization", "x-env"]);
    expect(names(after)).to.include("x-other").and.not.to.include("authorization");
  });

  it("never replace standard headers", async () => {
    const { encryption } = server.app.core;
    const headers = JSON.stringify({ "content-type": "text/plain", "webhook-id": "evt_other", "x-a": "b" });
    const sealed = encryption.seal(headers, `webhook-endpoint/${shop.shop.id}/${shop.endpointId}/headers`);
    await shop.setEndpoint(`sealed_headers = '${sealed}'`);
    const { eventId } = await shop.sendTest();
    const [sent] = await received(1);
    expect(sent!.headers).to.include({ "content-type": "application/json", "webhook-id": eventId, "x-a": "b" });
  });

  it("do not decrypt for another endpoint: nothing is sent, and nothing counts as a failure", async () => {
    const { endpoint } = await buildEndpoint(server, shop.shop, `${receiver.url}/other`);
    await setHeaders({ "x-other": "hocuspocus" }, endpoint.id);
    await shop.setEndpoint(
      `sealed_headers = (select sealed_headers from webhook_endpoints where shop_id = $1 and id = '${endpoint.id}')`,
    );
    const { id } = await shop.sendTest();
    const row = await eventually(
      () => shop.delivery(id),
      ({ next_attempt_at: next }) => next !== null,
    );
    expect(row).to.include({ status: "PENDING", attempts: 0 });
    expect(receiver.received).to.deep.equal([]);
    expect(JSON.stringify(lines)).to.include("a delivery could not be attempted").and.not.to.include("hocuspocus");
  });

  describe("and response headers", () => {
    it("are shown with masked secrets, also if the receiver repeats custom values", async () => {
      await setHeaders({ authorization: VALUE, "x-key": `${VALUE} and more`, "x-env": "on" });
      receiver.answerHeaders = {
        "X-Request-Id": "r-1",
        "X-Place": "Caf\u{e9}",
        "X-Echo": `seen: ${VALUE}`,
        "Set-Cookie": "session=hocuspocus",
        "X-Auth-Token": "hocuspocus",
        "WWW-Authenticate": 'Bearer realm="on"',
      };
      receiver.status = 401;
      receiver.answerBody = `no: ${VALUE} and more, ${VALUE}, on`;
      const { responseHeaders, responseBody } = await test();
      expect(responseHeaders).to.deep.include.members([
        { name: "x-request-id", value: "r-1" },
        // Node sends it as Latin-1.
        { name: "x-place", value: "Caf\u{fffd}" },
        { name: "x-echo", value: "seen: ***" },
        { name: "set-cookie", value: "***" },
        { name: "x-auth-token", value: "***" },
        { name: "www-authenticate", value: 'Bearer realm="on"' },
      ]);
      expect(responseBody).to.equal("no: ***, ***, on");
      const stored = await shop.sql("select t::text as row from delivery_attempts t where shop_id = $1");
      expect(JSON.stringify([stored, lines])).not.to.match(/abracadabra|hocuspocus/);
    });

    it("never show a secret, key or signature, however a response repeats it", async () => {
      const value = 'Bearer abra/"cadabra" simsalabim';
      const long = `${"k".repeat(900)}hocus`;
      await setHeaders({ authorization: value, "x-key": long });
      await shop.setEndpoint("url = url || '?key=opensesame&v=2'");
      const key = generateSecret("sk_live_");
      const signing = `whsec_${Buffer.alloc(32, 251).toString("base64")}`;
      receiver.status = 500;
      receiver.answerHeaders = { "x-amz-security-credential": "hocuspocus", "x-echo": "-".repeat(200) + long };
      receiver.answerBody = (headers) =>
        [
          `no such token: ${value.slice(7)}`,
          "from /hooks?key=opensesame&v=2",
          JSON.stringify({ headers, key, signing, like: "Authorization: bearer abracadabra.simsalabim" }),
          JSON.stringify(headers).replaceAll("/", "\\/"),
          encodeURIComponent(value),
          "-".repeat(1_000) + long + long + long,
        ].join("\n");
      const { responseHeaders, responseBody } = await test();
      const shown = JSON.stringify([responseHeaders, responseBody]);
      expect(responseBody).to.include("no such token: ***").and.to.include("content-type");
      const { headers } = receiver.received[0]!;
      const hidden = [String(headers["x-webhook-signature"]).slice(7), String(headers["webhook-signature"]).slice(3)];
      for (const secret of [
        ...hidden,
        key.slice(8),
        signing.slice(6),
        "cadabra",
        "simsalabim",
        "hocuspocus",
        "opensesame",
        "kkkkkkkk",
      ]) {
        expect(shown).not.to.include(secret);
      }
    });

    it("are null when nothing was sent, or without a response", async () => {
      await shop.setEndpoint("url = 'https://nowhere.invalid/'");
      expect(await test()).to.include({ requestHeaders: null, responseHeaders: null });
      await shop.setEndpoint("url = 'http://127.0.0.1:1/'");
      expect(await test()).to.include({ requestHeaders: null, responseHeaders: null });
    });
  });
});
