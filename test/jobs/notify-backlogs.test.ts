import { expect } from "chai";
import { digestLetter } from "../../src/jobs/mail/letters.ts";
import { notifyBacklogs } from "../../src/jobs/mail/notify-backlogs.sql.ts";
import type { DigestNotice } from "../../src/core/notifications/mail-jobs.sql.ts";
import { useWorld } from "../support/world.ts";

describe("Staff are notified of pull endpoints", () => {
  const { server, run, sql } = useWorld({ own: "works through all shops" });
  let id: string;

  beforeEach(async () => {
    ({ id } = await run("createPullEndpoint", { input: { topics: ["product.created"], description: "ERP" } }));
    for (const title of ["Mug", "Cup"]) await run("createProduct", { input: { title, variants: [{ price: "1" }] } });
  });

  const find = () => notifyBacklogs(server.em.fork(), new AbortController().signal);
  const age = (interval: string) =>
    sql(`update outstanding_deliveries set created_at = now() - $2::interval where shop_id = $1`, interval);

  async function letters(): Promise<string[]> {
    await find();
    const notices = await sql<DigestNotice>(
      `update notices set mailed_at = now() where shop_id = $1 and mailed_at is null
      returning target_name as "targetName", count, details, created_at::text as "createdAt"`,
    );
    return notices.flatMap((notice) => digestLetter("WEBHOOK_EVENTS_WAITING", [notice], "Shop").items ?? []);
  }

  it("whose events have waited for a day, once until they are fetched", async () => {
    await age("23 hours");
    expect(await letters()).to.deep.equal([]);
    await age("26 hours 5 minutes");
    expect(await letters()).to.deep.equal(["ERP: 2 events wait, the oldest for 26 h."]);
    expect(await letters()).to.deep.equal([]);
    const events: { id: string }[] = await run("receiveEvents", { endpointId: id });
    expect(await letters()).to.deep.equal([]);
    await run("acknowledgeEvents", { endpointId: id, ids: [events[0]!.id] });
    await age("1 hour");
    expect(await letters()).to.deep.equal([]);
    await age("25 hours");
    expect(await letters()).to.deep.equal(["ERP: 1 event waits, the oldest for 25 h."]);
  });

  it("but not while these are paused", async () => {
    await age("2 days");
    await run("updateWebhookEndpoint", { id, input: { paused: true } });
    expect(await letters()).to.deep.equal([]);
  });
});
