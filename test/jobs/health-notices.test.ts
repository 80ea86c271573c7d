import { expect } from "chai";
import { afterFailure, healthy, type Health } from "../../src/jobs/sending/health/circuit-breaker.ts";
import { healthNotices } from "../../src/jobs/sending/health/health-notices.ts";
import { eventually } from "../support/eventually.ts";
import { passTime, mailJobs } from "../support/mail/mail-jobs.ts";
import { useMailServer, mailsThrough } from "../support/mail/mail-server.ts";
import { useServer } from "../support/server.ts";
import { useWebhookShop } from "../support/webhooks/webhook-shop.ts";

const start = new Date("2026-01-31T09:30:00.000Z");
const target = { id: "whe_1", name: "https://receiver.example/hooks" };

/** The kinds of notices at each of these hours, at which an attempt fails. */
function noticesAt(hours: readonly number[], isGone = false): string[][] {
  let before: Health = healthy;
  return hours.map((hour) => {
    const now = new Date(start.getTime() + hour * 3_600_000);
    const after = afterFailure(before, { topic: "order.paid", isProbe: before.probeAt !== null, isGone, now });
    const kinds = healthNotices({ before, after, usedUp: 0 }, target).map(({ kind }) => kind);
    before = after;
    return kinds;
  });
}

const FAILING = ["WEBHOOK_ENDPOINT_FAILING"];
const SUSPENDED = ["WEBHOOK_ENDPOINT_SUSPENDED"];
const DISABLED = ["WEBHOOK_ENDPOINT_DISABLED"];

describe("Notices of an endpoint's health", () => {
  it("are recorded once after an hour of failures, and once after a day", () => {
    expect(noticesAt([0, 0.9, 1, 1.1, 2, 23, 24, 25])).to.deep.equal([[], [], FAILING, [], [], [], SUSPENDED, []]);
  });

  it("are recorded late when attempts are far apart", () => {
    expect(noticesAt([0, 20, 43])).to.deep.equal([[], FAILING, SUSPENDED]);
  });

  it("are recorded again after a day without failures", () => {
    expect(noticesAt([0, 2, 27, 28])).to.deep.equal([[], FAILING, [], FAILING]);
  });

  it("are recorded for a disabled endpoint", () => {
    expect(noticesAt([0, 1], true)).to.deep.equal([DISABLED, []]);
    const hours = [0, 12, 24, 36, 48, 60, 72, 84, 96, 108, 120];
    expect(noticesAt(hours).at(-1)).to.deep.equal(DISABLED);
  });
});

describe("Staff get an email about an endpoint", function () {
  this.timeout(30_000);
  const mailServer = useMailServer();
  const server = useServer({
    worker: true,
    config: mailsThrough(mailServer),
  });
  const shop = useWebhookShop(server);
  const { receiver } = shop;

  /** The owner's mails, when there are so many: the time of digests comes at once. */
  async function mails(count: number) {
    const ofShop = async () =>
      (await mailJobs(server.databaseUrl)).filter(({ payload }) => payload.shopId === shop.shop.id);
    await eventually(
      async () => {
        await passTime(
          server.databaseUrl,
          (await ofShop()).filter(({ attempts }) => attempts === 0),
        );
        return mailServer.to(shop.staff.email).length;
      },
      (length) => length === count,
    );
    return mailServer.to(shop.staff.email);
  }

  const attemptAll = () => shop.setDeliveries("next_attempt_at = now()");
  const notices = () => shop.sql<{ kind: string; count: number }>("select kind, count from notices where shop_id = $1");

  it("that has failed for an hour, and for a day", async () => {
    receiver.status = 500;
    await shop.change(1);
    await eventually(shop.endpoint, (row) => row.consecutive_failures === 1);
    expect(await notices()).to.deep.equal([]);
    const past = (interval: string) => `now() - interval '${interval}'`;
    await shop.setEndpoint(`failing_since = ${past("61 minutes")}, last_failed_at = ${past("59 minutes")}`);
    await attemptAll();
    const [failing] = await mails(1);
    expect(failing!.subject).to.equal("A webhook endpoint is failing");
    expect(failing!.text).to.include(`- ${receiver.url}/${shop.shop.id}, since 20`);
    await shop.setEndpoint(`failing_since = ${past("1 day")}, last_failed_at = ${past("1 hour")}`);
    await attemptAll();
    const [, suspended] = await mails(2);
    expect(suspended!.subject).to.equal("A webhook endpoint has failed for a day");
    expect(suspended!.text).to.match(/will be disabled at \d{4}-\d\d-\d\d \d\d:\d\d UTC at the earliest/);
  });

  it("that is disabled as gone", async () => {
    receiver.status = 410;
    await shop.change(3);
    const [mail] = await mails(1);
    expect(mail!.subject).to.equal("A webhook endpoint was disabled");
    expect(mail!.text).to.include(`${receiver.url}/${shop.shop.id}: it responded with 410 Gone.`);
    await eventually(shop.deliveries, (rows) => rows.every(({ status }) => status === "FAILED"));
    expect((await notices()).map(({ kind }) => kind)).to.deep.equal(DISABLED);
  });

  it("with the number of deliveries that failed for good", async () => {
    receiver.status = 500;
    await shop.change(4);
    await eventually(shop.deliveries, (rows) => rows.every(({ attempts }) => attempts === 1));
    await shop.setDeliveries("attempts = 9, next_attempt_at = now()");
    await eventually(shop.deliveries, (rows) => rows.every(({ status }) => status === "FAILED"));
    expect(await notices()).to.deep.equal([{ kind: "WEBHOOK_DELIVERIES_USED_UP", count: 4 }]);
    const [mail] = await mails(1);
    expect(mail!.text).to.include(`- 4 to ${receiver.url}/${shop.shop.id}`);
  });

  it("but not about tests, retried failures, or deliveries that were not sent", async () => {
    receiver.status = 500;
    await shop.sendTest();
    await shop.change(2);
    await eventually(shop.endpoint, (row) => row.consecutive_failures === 2);
    await shop.disable();
    await eventually(shop.deliveries, (rows) => rows.every(({ status }) => status === "FAILED"));
    expect(await notices()).to.deep.equal([]);
  });
});
