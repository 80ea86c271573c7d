import { expect } from "chai";
import { NotificationKind } from "../../src/core/model/notifications/notification-kind.ts";
import { recordNotices, type NewNotice } from "../../src/core/notifications/record-notices.sql.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { sendDigest } from "../../src/jobs/mail/send-digest.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildStaff } from "../support/factories.ts";
import { mailJobs, passTime, whenNoMailWaits } from "../support/mail/mail-jobs.ts";
import { useMailServer, mailsThrough } from "../support/mail/mail-server.ts";
import { useWorld } from "../support/world.ts";

const { WEBHOOK_DELIVERIES_USED_UP: USED_UP, WEBHOOK_ENDPOINT_DISABLED: DISABLED, TRIAL_ENDING } = NotificationKind;
const HOUR = 3_600;

const usedUp = (name: string, count = 1): NewNotice => ({ kind: USED_UP, target: { id: `whe_${name}`, name }, count });

describe("Mails about a shop", function () {
  this.timeout(30_000);
  const mailServer = useMailServer();
  const {
    server,
    shop,
    staff: owner,
    sql,
  } = useWorld(
    {
      worker: true,
      config: mailsThrough(mailServer),
    },
    { name: "Harbour Goods" },
  );

  const record = (...notices: NewNotice[]) =>
    server.em.fork().transactional((em) => recordNotices(em, shop.id, notices));
  const digests = async () =>
    (await mailJobs(server.databaseUrl)).filter(({ key, payload }) => key !== null && payload.shopId === shop.id);
  const unsent = () => sql("select target_name from notices where shop_id = $1 and mailed_at is null");

  /** Lets the time of the digests come, and waits for the mails. */
  async function send(): Promise<void> {
    await passTime(server.databaseUrl, await digests());
    await eventually(unsent, (rows) => rows.length === 0);
    await whenNoMailWaits(server.databaseUrl);
  }

  it("are sent soon after the first notice, with all later ones", async () => {
    await record(usedUp("https://one.example/hooks", 3));
    const [first] = await digests();
    expect(first!.wait).to.be.within(1, 60);
    await record(usedUp("https://two.example/<hooks>"));
    await record(usedUp("https://one.example/hooks", 2));
    const [second, ...others] = await digests();
    expect(others).to.deep.equal([]);
    expect(second!.wait).to.be.at.most(first!.wait);
    await send();
    const [mail, ...more] = mailServer.received;
    expect(more).to.deep.equal([]);
    expect(mail!.from!.name).to.equal("Harbour Goods");
    expect(mail!.envelope.to).to.deep.equal([owner.email]);
    expect(mail!.subject).to.equal("Webhook deliveries failed");
    expect(mail!.text)
      .to.include("- 5 to https://one.example/hooks")
      .and.to.include("- 1 to https://two.example/<hooks>");
    expect(mail!.html).to.include("<li>1 to https://two.example/&lt;hooks&gt;</li>");
    expect(mail!.text).to.include("member of the staff of Harbour Goods");
  });

  it("are sent once an hour at most, for each kind", async () => {
    await record(usedUp("first"));
    await send();
    expect((await digests()).map(({ wait }) => wait > HOUR - 60 && wait <= HOUR)).to.deep.equal([true]);
    await record(usedUp("second"), usedUp("first", 7), {
      kind: DISABLED,
      target: { id: "whe_first", name: "first" },
      details: { reason: "GONE" },
    });
    const jobs = Object.fromEntries((await digests()).map(({ payload, wait }) => [payload.kind, wait]));
    expect(Object.keys(jobs)).to.have.members([USED_UP, DISABLED]);
    expect(jobs[USED_UP]).to.be.within(HOUR - 120, HOUR);
    expect(jobs[DISABLED]).to.be.within(1, 60);
    await send();
    const texts = mailServer.received.map(({ subject, text }) => [subject, text]);
    expect(texts).to.have.length(3);
    expect(texts.find(([subject]) => subject === "A webhook endpoint was disabled")![1]).to.include("410 Gone");
    // What was sent is not sent again.
    expect(mailServer.received.findLast(({ subject }) => subject === texts[0]![0])!.text)
      .to.include("- 7 to first")
      .and.to.include("- 1 to second");
  });

  it("are sent soon again after an hour without notices", async () => {
    await record(usedUp("first"));
    await send();
    await passTime(server.databaseUrl, await digests());
    await eventually(digests, (jobs) => jobs.length === 0);
    expect(mailServer.received).to.have.length(1);
  });

  it("go to members with the permission who want them", async () => {
    const colleagues = await Promise.all(Object.values(Role).map((role) => buildStaff(server.em, shop, role)));
    const [second] = colleagues;
    const disabled = await buildStaff(server.em, shop);
    await query(server.databaseUrl, "update staff set disabled_at = now() where id = $1", [disabled.id]);
    const mute = "update memberships set muted_notifications = $2 where shop_id = $1 and staff_id = $3";
    await sql(mute, [USED_UP], owner.id);
    await record(usedUp("first"), {
      kind: TRIAL_ENDING,
      target: shop,
      details: { endsAt: "2026-11-30T12:00:00.000Z" },
    });
    await send();
    const sent = mailServer.received.map(({ envelope, subject }) => `${envelope.to.join()} ${subject}`);
    expect(sent.toSorted()).to.deep.equal(
      [
        `${second!.email} Webhook deliveries failed`,
        `${second!.email} Your trial ends soon`,
        `${owner.email} Your trial ends soon`,
      ].toSorted(),
    );
    expect(mailServer.to(owner.email)[0]!.text).to.include(
      "- The trial of Harbour Goods ends at 2026-11-30 12:00 UTC.",
    );
  });

  it("do not go to owners without a required second factor", async () => {
    const second = await buildStaff(server.em, shop);
    await query(server.databaseUrl, "update staff set second_factor_at = now() where id = $1", [second.id]);
    await sql("update shops set requires_second_factor = true where id = $1");
    await record(usedUp("first"));
    await send();
    expect(mailServer.received.map(({ envelope }) => envelope.to)).to.deep.equal([[second.email]]);
  });

  it("do not go to members who lost the permission meanwhile", async () => {
    mailServer.refuses = { rcpt: 451 };
    await record(usedUp("first"));
    await passTime(server.databaseUrl, await digests());
    const failed = await eventually(
      () => mailJobs(server.databaseUrl),
      (jobs) => jobs.some(({ last_error: error }) => error !== null),
    );
    await query(server.databaseUrl, "update memberships set role = 'MANAGER' where staff_id = $1", [owner.id]);
    mailServer.refuses = {};
    await passTime(server.databaseUrl, failed);
    await whenNoMailWaits(server.databaseUrl);
    expect(mailServer.received).to.deep.equal([]);
  });

  it("commit with their notices", async () => {
    const undone = server.em.fork().transactional(async (em) => {
      await recordNotices(em, shop.id, [usedUp("first")]);
      throw new Error("undone");
    });
    await undone.catch(() => undefined);
    expect([await unsent(), await digests()]).to.deep.equal([[], []]);
  });

  it("contain each notice once, with concurrent notices", async () => {
    const recording = Array.from({ length: 20 }, (_, turn) => record(usedUp(`endpoint-${turn % 3}`)));
    const making = Array.from({ length: 5 }, () => sendDigest(server.em.fork(), { shopId: shop.id, kind: USED_UP }));
    await Promise.all([...recording, ...making]);
    await send();
    const counts = mailServer.received.flatMap(({ text }) =>
      [...text!.matchAll(/^- (\d+) to/gm)].map(([, n]) => Number(n)),
    );
    expect(counts.reduce((sum, count) => sum + count)).to.equal(20);
  });

  it("are sent for notices without a job, once those are found", async () => {
    await record(usedUp("first"));
    await query(server.databaseUrl, "delete from graphile_worker._private_jobs where key is not null");
    await record();
    expect(await digests()).to.have.length(1);
  });
});
