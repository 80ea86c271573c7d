import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import type { Role } from "../../src/core/model/staff/staff.entity.ts";
import { buildEndpoint } from "../support/factories.ts";
import { codesOf } from "../support/browser/browser.ts";
import { useFlawedReceivers, type Flaw } from "../support/webhooks/flawed-receiver.ts";
import { useWebhookShop } from "../support/webhooks/webhook-shop.ts";

interface Result {
  check: string;
  isRun: boolean;
  isPassed: boolean;
  finding: string;
  title: string;
  remedy: string | null;
}

/** The checks that each flaw fails. */
const caught: Record<Flaw, string[]> = {
  "verifies with another secret": ["VALID_EVENT"],
  "verifies nothing": [
    "VALID_EVENT",
    "WRONG_SIGNATURE",
    "NO_SIGNATURE",
    "ALTERED_BODY",
    "OLD_TIMESTAMP",
    "FUTURE_TIMESTAMP",
  ],
  "verifies no signature": ["WRONG_SIGNATURE", "NO_SIGNATURE", "ALTERED_BODY"],
  "accepts a missing signature": ["NO_SIGNATURE"],
  "trusts a signature that it knows": ["ALTERED_BODY"],
  "accepts any time": ["OLD_TIMESTAMP", "FUTURE_TIMESTAMP"],
  "accepts the future": ["FUTURE_TIMESTAMP"],
  "answers 409 to an event that it has": ["REPEATED_EVENT", "CONCURRENT_EVENTS"],
  "answers 500 to an event in progress": ["CONCURRENT_EVENTS"],
  "answers 409 to an older version": ["OLDER_VERSION"],
  "answers 400 to an unknown topic": ["UNKNOWN_TOPIC"],
  "verifies JSON that it parsed and printed": ["WHITESPACE"],
  "works before it answers": ["RESPONSE_TIME"],
};

describe("A receiver check", function () {
  this.timeout(60_000);
  const shop = useWebhookShop({ worker: true });
  const { server, receiver } = shop;
  const startReceiver = useFlawedReceivers();

  async function check(flaw?: Flaw): Promise<Result[]> {
    let secret = "";
    const url = await startReceiver(() => secret, flaw);
    const created = await buildEndpoint(server, shop.shop, url, ["order.created", "product.updated"]);
    ({ secret } = created);
    return shop.run("checkReceiver", { id: created.endpoint.id });
  }

  const failed = (results: Result[]) =>
    results.filter(({ isRun, isPassed }) => isRun && !isPassed).map((result) => result.check);

  it("passes a right receiver in all twelve checks", async () => {
    const results = await check();
    expect(results).to.have.length(12);
    expect(failed(results)).to.deep.equal([]);
    for (const { remedy } of results) expect(remedy).to.equal(null);
  });

  for (const [flaw, checks] of Object.entries(caught)) {
    it(`catches a receiver that ${flaw}`, async () => {
      const results = await check(flaw as Flaw);
      expect(failed(results)).to.deep.equal(checks);
      for (const { check: name, title, remedy } of results) {
        expect(title).to.match(/^[A-Z]/);
        expect(remedy !== null).to.equal(checks.includes(name));
      }
    });
  }

  it("says in the first line that a receiver verifies nothing", async () => {
    const [first] = await check("verifies nothing");
    expect(first!.finding).to.equal("Responded with 204, as to every invalid event: the receiver verifies nothing");
    expect(first!.remedy).to.include("Verify the signature");
  });

  it("ends when the valid event fails, and says that the other checks did not run", async () => {
    Object.assign(receiver, { status: 307, answerHeaders: { location: "https://receiver.example/new" } });
    const [first, ...others] = (await shop.run("checkReceiver", { id: shop.endpointId })) as Result[];
    const finding = "Responded with 307, a redirect to https://receiver.example/new";
    expect(first).to.include({ check: "VALID_EVENT", isRun: true, isPassed: false, finding });
    expect(first!.remedy).to.include("redirect");
    expect(others).to.have.length(11);
    for (const other of others) {
      const reason = "Did not run: the valid event was not accepted";
      expect(other).to.include({ isRun: false, isPassed: false, finding: reason, remedy: null });
    }
    expect(receiver.received).to.have.length(1);
  });

  it("sends thirteen marked requests with new ids, and stores only an audit entry", async () => {
    const { endpoint, secret } = await buildEndpoint(server, shop.shop, `${receiver.url}/checked`);
    shop.endpointId = endpoint.id;
    const before = await shop.endpoint();
    await shop.run("checkReceiver", { id: endpoint.id });
    expect(receiver.received).to.have.length(13);
    for (const { headers, path } of receiver.received) {
      expect(path).to.equal("/checked");
      expect(headers).to.include({ "x-webhook-test": "true" });
    }
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    expect(() => new Webhook(secret).verify(body.toString(), headers as Record<string, string>)).not.to.throw();
    expect(await shop.deliveries()).to.deep.equal([]);
    expect(await shop.endpoint()).to.deep.equal(before);
    const [audited, ...others] = await shop.audit("WEBHOOK_RECEIVER_CHECKED");
    expect(others).to.deep.equal([]);
    expect(audited).to.include({ actor_kind: "STAFF", actor_id: shop.staff.id, target_id: endpoint.id });
  });

  it("checks paused and disabled endpoints, which stay so", async () => {
    await shop.setEndpoint("paused = true, disabled_at = now(), disabled_reason = 'GONE'");
    const [first] = (await shop.run("checkReceiver", { id: shop.endpointId })) as Result[];
    expect(first).to.include({ check: "VALID_EVENT", isRun: true });
    expect(await shop.endpoint()).to.include({ paused: true, disabled_reason: "GONE" });
  });

  it("runs once a minute for an endpoint, however many ask at the same time", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => shop.send("checkReceiver", { id: shop.endpointId })));
    expect(answers.flatMap(codesOf)).to.deep.equal(["RATE_LIMITED", "RATE_LIMITED"]);
    expect(receiver.received).to.have.length(13);
    await shop.sql("update audit_entries set created_at = created_at - interval '1 minute' where shop_id = $1");
    await shop.run("checkReceiver", { id: shop.endpointId });
  });

  it("refuses unknown, foreign and pull endpoints, and sends nothing", async () => {
    const pull = await shop.run("createPullEndpoint", { input: { topics: ["order.paid"] } });
    expect(await shop.refusal("checkReceiver", { id: pull.id })).to.deep.equal([
      "VALIDATION_FAILED",
      "id: invalid_value",
    ]);
    for (const id of ["", "whe_1", "whe_00000000000000000000000000"]) {
      expect(await shop.refusal("checkReceiver", { id })).to.deep.equal(["NOT_FOUND"]);
    }
    const foreign = shop.endpointId;
    await shop.open();
    expect(await shop.refusal("checkReceiver", { id: foreign })).to.deep.equal(["NOT_FOUND"]);
    const manager = await shop.as("MANAGER" satisfies Role);
    expect(await manager.refusal("checkReceiver", { id: shop.endpointId })).to.deep.equal(["FORBIDDEN"]);
    expect(receiver.received).to.deep.equal([]);
  });

  it("needs a plan with webhooks", async () => {
    await shop.sql("update shops set plan = 'NONE' where id = $1");
    expect(await shop.refusal("checkReceiver", { id: shop.endpointId })).to.deep.equal(["PLAN_FORBIDS"]);
  });
});
