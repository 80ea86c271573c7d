import { createHash } from "node:crypto";
import { expect } from "chai";
import { operator } from "../../../src/core/access/actor.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { disableAccount, enableAccount } from "../../../src/core/staff/flows/disable-account.ts";
import { digestKey } from "../../../src/core/staff/throttle/throttle-counter.sql.ts";
import { purgeExpired } from "../../../src/jobs/retention/purge-expired.sql.ts";
import { codesOf, issuesOf, openBrowser, type TestBrowser } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { buildShop, buildStaff, type TestStaff } from "../../support/factories.ts";
import { someAddress } from "../../support/staff/logins.ts";
import { mailJobs, passTime, tokenIn, whenNoMailWaits } from "../../support/mail/mail-jobs.ts";
import { mailsThrough, useMailServer } from "../../support/mail/mail-server.ts";
import { buildInvitation } from "../../support/staff/invitations.ts";
import { useServer } from "../../support/server.ts";
import { useStatementLog } from "../../support/postgres/statements.ts";

const NEW_PASSWORD = "a wholly new password";

describe("A password reset", () => {
  const mailServer = useMailServer();
  const server = useServer({
    worker: true,
    config: mailsThrough(mailServer, { trustedProxies: 1 }),
  });
  let owner: TestStaff;
  let stranger: TestBrowser;

  beforeEach(async () => {
    await whenNoMailWaits(server.databaseUrl);
    mailServer.reset();
    owner = await buildStaff(server.em, await buildShop(server.em));
    stranger = openBrowser(server, { "x-forwarded-for": someAddress() });
  });

  const ask = (email = owner.email, from = stranger) => from.send("requestPasswordReset", { email });
  const reset = (token: string, password = NEW_PASSWORD) => stranger.send("resetPassword", { token, password });
  const canLogIn = async (password: string) =>
    codesOf(await openBrowser(server).logIn({ ...owner, password })).length === 0;

  /** The mails to the owner with a token, when there are so many. */
  async function mails(count: number) {
    const all = () => mailServer.to(owner.email).filter(({ subject }) => subject === "Reset your password");
    await eventually(
      () => all().length,
      (length) => length === count,
    );
    return all();
  }

  async function requestToken(): Promise<string> {
    const { length } = mailServer.to(owner.email);
    expect((await ask()).data.requestPasswordReset).to.equal(true);
    return tokenIn((await mails(length + 1)).at(-1)!);
  }

  it("works once with an emailed token, stored as a digest", async () => {
    const [before, other] = [openBrowser(server), openBrowser(server)];
    for (const browser of [before, other]) await browser.logIn(owner);
    const token = await requestToken();
    const [mail] = mailServer.to(owner.email);
    expect(mail!.from).to.deep.equal({ name: "Merchant", address: "merchant@example.com" });
    expect(mail!.text).to.include(`Set a new password:\nhttp://127.0.0.1:4000/admin/reset#${token}\n`);
    const rows = await query<{ token_digest: Buffer }>(server.databaseUrl, "select * from password_resets");
    expect(rows.map((row) => row.token_digest.toString("hex"))).to.deep.equal([
      createHash("sha256").update(token).digest("hex"),
    ]);
    const answer = await reset(token);
    expect(answer.data.resetPassword).to.equal(true);
    expect(answer.headers.getSetCookie()).to.deep.equal([]);
    for (const browser of [before, other]) {
      expect((await browser.ask("{ viewer { id } }")).data.viewer).to.equal(null);
    }
    expect([await canLogIn(owner.password), await canLogIn(NEW_PASSWORD)]).to.deep.equal([false, true]);
    expect(codesOf(await reset(token))).to.deep.equal(["NOT_FOUND"]);
    await eventually(
      () => mailServer.to(owner.email).map(({ subject }) => subject),
      (subjects) => subjects.includes("Your password was changed"),
    );
  });

  it("is recorded in the audit log of each shop", async () => {
    const second = await buildShop(server.em);
    await query(server.databaseUrl, "insert into memberships values ($1, $2, 'VIEWER', now())", [second.id, owner.id]);
    await reset(await requestToken());
    const entries = await query(
      server.databaseUrl,
      `select actor_kind, actor_id, target_id, target_name, address is not null as "isKnown" from audit_entries
      where action = 'MEMBER_PASSWORD_RESET' and target_id = $1`,
      [owner.id],
    );
    const entry = { actor_kind: "STAFF", actor_id: owner.id, target_id: owner.id, target_name: owner.email };
    expect(entries).to.deep.equal([1, 2].map(() => ({ ...entry, isKnown: true })));
  });

  it("is answered alike for unknown addresses, which get no email", async () => {
    const addresses = [owner.email, owner.email.toUpperCase(), "nobody@example.com", "no address", ""];
    const answers = [];
    for (const email of addresses) {
      const { status, data, errors } = await ask(email);
      answers.push({ status, data, errors });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).to.have.length(1);
    await whenNoMailWaits(server.databaseUrl);
    expect(mailServer.asked).to.deep.equal([owner.email, owner.email]);
  });

  it("leaves a token valid when its email is sent again", async () => {
    mailServer.refuses = { data: 451 };
    await ask();
    await eventually(
      () => mailJobs(server.databaseUrl),
      (jobs) => jobs.some(({ last_error: error }) => error !== null),
    );
    mailServer.refuses = {};
    const second = tokenIn((await mails(1))[0]!);
    const first = tokenIn(mailServer.offered[0]!);
    expect(first).not.to.equal(second);
    expect(codesOf(await reset(first))).to.deep.equal([]);
    expect(codesOf(await reset(second))).to.deep.equal(["NOT_FOUND"]);
  });

  it("is not emailed half an hour after the request", async () => {
    mailServer.refuses = { rcpt: 451 };
    await ask();
    const waiting = await eventually(
      () => mailJobs(server.databaseUrl),
      (jobs) => jobs.some(({ last_error: error }) => error !== null),
    );
    mailServer.refuses = {};
    await passTime(server.databaseUrl, waiting, "30 minutes");
    await whenNoMailWaits(server.databaseUrl);
    expect(mailServer.received).to.deep.equal([]);
  });

  it("refuses tokens that are expired, invented, or older than the password", async () => {
    const [expired, older] = [await requestToken(), await requestToken()];
    const digest = createHash("sha256").update(expired).digest();
    await query(server.databaseUrl, "update password_resets set expires_at = now() where token_digest = $1", [digest]);
    const answers = [await reset(expired), await reset("x".repeat(43)), await reset("")];
    const browser = openBrowser(server);
    await browser.logIn(owner);
    const change = { currentPassword: owner.password, newPassword: NEW_PASSWORD };
    expect(codesOf(await browser.send("changePassword", change))).to.deep.equal([]);
    answers.push(await reset(older, "yet another password"));
    for (const { errors } of answers) expect(errors).to.deep.equal(answers[0]!.errors);
    expect(codesOf(answers[0]!)).to.deep.equal(["NOT_FOUND"]);
    expect(await canLogIn(NEW_PASSWORD)).to.equal(true);
  });

  it("works once with concurrent requests for two tokens", async () => {
    const tokens = [await requestToken(), await requestToken()];
    const passwords = Array.from({ length: 6 }, (_, index) => `password number ${index}`);
    const answers = await Promise.all(passwords.map((password, index) => reset(tokens[index % 2]!, password)));
    const done = passwords.filter((_, index) => answers[index]!.errors.length === 0);
    expect(done).to.have.length(1);
    expect(await canLogIn(done[0]!)).to.equal(true);
    expect(new Set(answers.flatMap(codesOf))).to.deep.equal(new Set(["NOT_FOUND"]));
  });

  it("is refused for a disabled account", async () => {
    const token = await requestToken();
    await disableAccount(server.em, operator, owner.email);
    expect(codesOf(await reset(token))).to.deep.equal(["NOT_FOUND"]);
    expect((await ask()).data.requestPasswordReset).to.equal(true);
    await whenNoMailWaits(server.databaseUrl);
    expect(mailServer.to(owner.email)).to.have.length(1);
    await enableAccount(server.em, operator, owner.email);
    expect(await canLogIn(owner.password)).to.equal(true);
  });

  it("refuses an invalid password, and the token stays valid", async () => {
    const token = await requestToken();
    for (const password of ["", "11 of them.", "x".repeat(257), "passwordpassword", "twelve \0 characters"]) {
      expect(issuesOf(await reset(token, password)), password).to.deep.equal(["password"]);
    }
    expect(codesOf(await reset(token))).to.deep.equal([]);
  });

  it("is limited to five per account, known or not, and twenty per site", async () => {
    const codesFor = async (count: number, email: (turn: number) => string, from: () => TestBrowser) => {
      const codes = [];
      for (let turn = 0; turn < count; turn += 1) codes.push(codesOf(await ask(email(turn), from()))[0] ?? "taken");
      return codes;
    };
    const anywhere = () => openBrowser(server, { "x-forwarded-for": someAddress() });
    for (const email of [owner.email, "nobody-at-all@example.com"]) {
      const codes = await codesFor(6, () => email, anywhere);
      expect(codes).to.deep.equal([...Array(5).fill("taken"), "RATE_LIMITED"]);
    }
    const codes = await codesFor(
      21,
      (turn) => `nobody-${turn}@example.com`,
      () => stranger,
    );
    expect(codes).to.deep.equal([...Array(20).fill("taken"), "RATE_LIMITED"]);
    let subnet = 0;
    const inSite = await codesFor(
      21,
      (turn) => `nobody-there-${turn}@example.com`,
      () => openBrowser(server, { "x-forwarded-for": `2001:db8:7:${(subnet += 1)}::1` }),
    );
    expect(inSite).to.deep.equal([...Array(20).fill("taken"), "RATE_LIMITED"]);
    // It counts for itself: the account can still be logged in to.
    expect(await canLogIn(owner.password)).to.equal(true);
  });

  it("purges expired tokens", async () => {
    await requestToken();
    const count = async () => (await query(server.databaseUrl, "select 1 from password_resets")).length;
    const before = await count();
    await query(server.databaseUrl, "update password_resets set expires_at = now() where staff_id = $1", [owner.id]);
    await purgeExpired(server.em.fork(), new AbortController().signal);
    expect(await count()).to.be.below(before);
  });

  describe("without a worker", () => {
    const idle = useServer({ config: { mail: mailServer.settings } });
    const log = useStatementLog();

    it("waits in separate queues for known and unknown addresses", async () => {
      const shop = await buildShop(idle.em);
      const staff = await buildStaff(idle.em, shop);
      for (const email of [staff.email, "nobody@example.com"])
        await openBrowser(idle).send("requestPasswordReset", { email });
      await buildInvitation(idle, shop.id, operator, { email: "new@example.com", role: Role.CLERK });
      const jobs = await query<{ what: string; queue: string; priority: number }>(
        idle.databaseUrl,
        `select coalesce(payload->>'email', payload->>'mail') as what, queue_name as queue, priority
        from graphile_worker._private_jobs job join graphile_worker._private_job_queues queue on queue.id = job_queue_id
        where payload->>'mail' in ('PASSWORD_RESET', 'INVITATION') order by priority`,
      );
      expect(jobs.map(({ what, queue }) => [what, queue.replace(/ \d+$/, "")])).to.deep.equal([
        ["INVITATION", "mail"],
        [staff.email, "reset"],
        ["nobody@example.com", "unknown reset"],
      ]);
    });

    it("is limited to a thousand in total", async () => {
      const all = digestKey("resets");
      const used = "update login_attempts set attempts = $2 where key = $1";
      const { email } = await buildStaff(idle.em, await buildShop(idle.em));
      await openBrowser(idle).send("requestPasswordReset", { email });
      await query(idle.databaseUrl, used, [all, 999]);
      const codes = [];
      for (let turn = 0; turn < 2; turn += 1)
        codes.push(codesOf(await openBrowser(idle).send("requestPasswordReset", { email })));
      expect(codes).to.deep.equal([[], ["RATE_LIMITED"]]);
      await query(idle.databaseUrl, used, [all, 0]);
    });

    it("is kept for accounts when strangers use up their part, and writes nothing beyond it", async () => {
      const staff = await buildStaff(idle.em, await buildShop(idle.em));
      const used = "update login_attempts set attempts = $2 where key = $1";
      await query(idle.databaseUrl, used, [digestKey("resets"), 800]);
      const rows = async () => (await query(idle.databaseUrl, "select 1 from login_attempts")).length;
      const written = [];
      for (const [email, codes] of [
        ["stranger@example.com", []],
        [staff.email, []],
        ["third@example.com", ["RATE_LIMITED"]],
      ] as const) {
        const before = [await rows(), (await mailJobs(idle.databaseUrl)).length];
        expect(codesOf(await openBrowser(idle).send("requestPasswordReset", { email }))).to.deep.equal(codes);
        written.push([(await rows()) - before[0]!, (await mailJobs(idle.databaseUrl)).length - before[1]!]);
        if (email === staff.email) await query(idle.databaseUrl, used, [digestKey("resets"), 1_000]);
      }
      expect(written).to.deep.equal([
        [0, 0],
        [1, 1],
        [0, 0],
      ]);
      await query(idle.databaseUrl, used, [digestKey("resets"), 0]);
    });

    it("takes the same statements for unknown addresses", async () => {
      const staff = await buildStaff(idle.em, await buildShop(idle.em));
      const statements: string[][] = [];
      for (const email of ["first@example.com", staff.email, "nobody@example.com"]) {
        const sent = (await log.during(() => openBrowser(idle).send("requestPasswordReset", { email }))).statements;
        // A scheduled task of the worker above may look for lost deliveries meanwhile.
        statements.push(sent.filter((text) => !text.includes("webhook_endpoints")));
      }
      expect(statements[0]).not.to.deep.equal([]);
      for (const other of statements) expect(other).to.deep.equal(statements[0]);
    });
  });

  describe("without email", () => {
    const silent = useServer({ own: "reads the mail jobs of all shops" });

    it("is refused, for known and unknown addresses alike", async () => {
      const staff = await buildStaff(silent.em, await buildShop(silent.em));
      for (const email of [staff.email, "nobody@example.com"]) {
        const { errors } = await openBrowser(silent).send("requestPasswordReset", { email });
        expect(codesOf({ errors })).to.deep.equal(["FORBIDDEN"]);
        expect(errors[0]!.message).to.equal("This service does not send email");
      }
      expect(await mailJobs(silent.databaseUrl)).to.deep.equal([]);
    });
  });
});
