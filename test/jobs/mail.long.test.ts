import { expect } from "chai";
import { NotificationKind } from "../../src/core/model/notifications/notification-kind.ts";
import { codesOf, openBrowser } from "../support/browser/browser.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildProduct } from "../support/factories.ts";
import { mailJobs, passTime, tokenIn, whenNoMailWaits } from "../support/mail/mail-jobs.ts";
import { collectLines } from "../support/telemetry/log-lines.ts";
import { useMailServer, mailsThrough } from "../support/mail/mail-server.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";
import { enroll } from "../support/staff/second-factor.ts";
import { documentOf } from "../support/graphql.ts";
import { useWorld } from "../support/world.ts";

const PASSWORD = "a password of theirs";

describe("Email jobs", function () {
  this.timeout(60_000);
  const { logger, lines } = collectLines();
  const mailServer = useMailServer();
  const receiver = useReceiver();
  const world = useWorld({ worker: true, logger, config: mailsThrough(mailServer) }, { name: "Käthe & Söhne" });
  const { server, shop, staff: owner, run, refusal, sql } = world;
  let email: string;
  let invited = 0;

  beforeEach(async () => {
    email = `invited-${(invited += 1)}@example.com`;
    lines.splice(0);
  });

  const logged = () => JSON.stringify(lines);
  const jobs = () => mailJobs(server.databaseUrl);
  const accept = (token: string) =>
    openBrowser(server).ask(documentOf("acceptInvitation"), { token, password: PASSWORD });

  async function invite(to = email): Promise<string> {
    const { token, invitation } = await run("inviteMember", { input: { email: to, role: "CLERK" } });
    expect(token).to.equal(null);
    return invitation.id;
  }

  /** The first mail to an address, when it has come. */
  async function received(address = email) {
    await eventually(
      () => mailServer.to(address).length,
      (count) => count > 0,
    );
    return mailServer.to(address)[0]!;
  }
  /** The jobs, when one of them has failed. */
  const failed = () => eventually(jobs, (rows) => rows.some((row) => row.attempts > 0 && row.last_error !== null));

  it("send an invitation's token to the invited address only", async () => {
    await invite();
    const mail = await received();
    expect(mail.from).to.deep.equal({ name: "Käthe & Söhne", address: "merchant@example.com" });
    expect(mail.subject).to.equal("Join the staff of Käthe & Söhne");
    const token = tokenIn(mail);
    expect(mail.text).to.include(`Join Käthe & Söhne:\nhttp://127.0.0.1:4000/admin/join#${token}\n`);
    expect(mail.html)
      .to.include(`href="http://127.0.0.1:4000/admin/join#${token}"`)
      .and.to.include("Käthe &amp; Söhne");
    expect((await accept(token)).data.acceptInvitation.email).to.equal(email);
    expect(mailServer.received).to.have.length(1);
    await whenNoMailWaits(server.databaseUrl);
    expect(lines.map(({ msg }) => msg)).to.include("an email was sent");
    expect(logged()).not.to.include(email).and.not.to.include(token);
  });

  it("are retried with the same token, and show no address or token meanwhile", async () => {
    mailServer.refuses = { data: 451 };
    await invite();
    const [job] = await failed();
    const token = tokenIn(mailServer.offered[0]!);
    const kept = JSON.stringify(job);
    expect(job!.wait).to.be.above(0);
    for (const text of [kept, logged()]) expect(text).not.to.include(token).and.not.to.include(email);
    expect(job!.last_error).to.include("451");
    mailServer.refuses = {};
    await passTime(server.databaseUrl, await jobs());
    const mail = await received();
    expect(tokenIn(mail)).to.equal(token);
    expect(codesOf(await accept(token))).to.deep.equal([]);
  });

  it("wait for an unreachable server", async () => {
    await mailServer.stop();
    try {
      await invite();
      expect((await failed())[0]!.last_error).to.include("ECONNREFUSED");
    } finally {
      await mailServer.start();
    }
    await passTime(server.databaseUrl, await jobs());
    await received();
    await whenNoMailWaits(server.databaseUrl);
  });

  it("are given up when the server refuses for good", async () => {
    mailServer.refuses = { rcpt: 550 };
    const id = await invite();
    await whenNoMailWaits(server.databaseUrl);
    expect(mailServer.asked).to.deep.equal([email]);
    const line = lines.find(({ msg }) => msg.includes("given up"))!;
    expect(line).to.include({ level: 50, mail: "INVITATION", shopId: shop.id });
    expect(JSON.stringify(line)).to.include("550").and.not.to.include(email).and.not.to.include(id);
  });

  it("are given up when they are too old", async () => {
    mailServer.refuses = { rcpt: 451 };
    await invite();
    await passTime(server.databaseUrl, await failed(), "3 days");
    mailServer.refuses = {};
    await whenNoMailWaits(server.databaseUrl);
    expect(mailServer.received).to.deep.equal([]);
    expect(lines.map(({ msg }) => msg)).to.include("an email was given up: it is too old");
  });

  for (const [what, change] of [
    ["expired", "update invitations set expires_at = now() where id = $1"],
    ["was taken back", "delete from invitations where id = $1"],
  ] as const) {
    it(`of an invitation that ${what} meanwhile send nothing`, async () => {
      mailServer.refuses = { rcpt: 451 };
      const id = await invite();
      const waiting = await failed();
      await query(server.databaseUrl, change, [id]);
      mailServer.refuses = {};
      await passTime(server.databaseUrl, waiting);
      await whenNoMailWaits(server.databaseUrl);
      expect(mailServer.received).to.deep.equal([]);
    });
  }

  it("use at most four places while the server hangs, and webhooks continue", async () => {
    await buildEndpoint(server, shop, receiver.url);
    mailServer.hangsAt = "connect";
    for (let count = 0; count < 12; count += 1) await invite(`hung-${count}-${email}`);
    await eventually(
      () => mailServer.connections,
      (count) => count > 0,
    );
    await buildProduct(server.em, shop);
    await eventually(
      () => receiver.received,
      (all) => all.length === 1,
    );
    const [row] = await query<{ held: number; mails: number }>(
      server.databaseUrl,
      `select count(*) filter (where locked_at is not null)::int as held, count(*)::int as mails
      from graphile_worker._private_jobs where payload->>'mail' = 'INVITATION'`,
    );
    expect(row!.held).to.be.within(1, 4);
    expect(row!.mails).to.equal(12);
    // They would be waited for.
    await mailServer.stop();
    mailServer.reset();
    await mailServer.start();
    await eventually(
      async () => {
        await passTime(server.databaseUrl, await jobs());
        return mailServer.received;
      },
      (mails) => mails.length === 12,
    );
  });

  it("report each changed password, and cannot be turned off", async () => {
    const settings = Object.keys(NotificationKind).map((kind) => ({ kind, enabled: false }));
    await run("updateNotificationSettings", { settings });
    await run("changePassword", { currentPassword: owner.password, newPassword: PASSWORD });
    const mail = await received(owner.email);
    expect(mail.subject).to.equal("Your password was changed");
    expect(mail.from).to.deep.equal({ name: "Merchant", address: "merchant@example.com" });
    expect(mail.text).to.match(/changed at \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    for (const password of [PASSWORD, owner.password]) expect(mail.raw).not.to.include(password);
  });

  it("report each change of two-factor authentication, and a used recovery code", async () => {
    const { recoveryCodes } = await enroll(await world.browser(), owner);
    await run("disableSecondFactor", { password: owner.password, code: recoveryCodes[0] });
    await whenNoMailWaits(server.databaseUrl);
    const mails = mailServer.to(owner.email);
    expect(mails.map(({ subject }) => subject)).to.have.members([
      "Two-factor authentication was turned on",
      "A recovery code was used",
      "Two-factor authentication was turned off",
    ]);
    for (const { raw } of mails) for (const code of recoveryCodes) expect(raw).not.to.include(code);
  });

  it("are not added when the change is rolled back", async () => {
    const change = { currentPassword: "a wrong password", newPassword: PASSWORD };
    expect(await refusal("changePassword", change)).to.deep.equal(["INVALID_CREDENTIALS"]);
    const [code] = await refusal("inviteMember", { input: { email: owner.email, role: "CLERK" } });
    expect(code).to.equal("VALIDATION_FAILED");
    expect(await jobs()).to.deep.equal([]);
  });

  it("of invitations are limited per address, and refused ones change nothing", async () => {
    for (let count = 0; count < 5; count += 1) await invite();
    await whenNoMailWaits(server.databaseUrl);
    const invitations = () => sql("select * from invitations where shop_id = $1");
    const before = await invitations();
    const input = { email: email.toUpperCase(), role: "CLERK" };
    expect(await refusal("inviteMember", { input })).to.deep.equal(["RATE_LIMITED"]);
    expect(await invitations()).to.deep.equal(before);
    await invite(`another-${email}`);
  });
});
