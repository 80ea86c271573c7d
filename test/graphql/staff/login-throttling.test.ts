import { randomInt } from "node:crypto";
import { expect } from "chai";
import { codesOf, issuesOf } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { buildShop, buildStaff } from "../../support/factories.ts";
import type { GraphqlAnswer } from "../../support/graphql.ts";
import { logInFrom, someAddress, tally, times, unknown, wrong, fillUp } from "../../support/staff/logins.ts";
import { useServer } from "../../support/server.ts";
import { useWorld } from "../../support/world.ts";

describe("Logins behind a proxy", () => {
  const { server, shop, staff: owner } = useWorld({ config: { trustedProxies: 1 } });

  it("allow ten attempts per account and address, also concurrently", async () => {
    const address = someAddress();
    const guesses = times(25, () => logInFrom(server, address, wrong(owner)));
    expect(await tally(guesses)).to.deep.equal({ INVALID_CREDENTIALS: 10, RATE_LIMITED: 15 });
    expect(codesOf(await logInFrom(server, address, owner))).to.deep.equal(["RATE_LIMITED"]);
    expect(codesOf(await logInFrom(server, someAddress(), owner))).to.deep.equal([]);
  });

  it("report the time to wait, after which a new count starts", async () => {
    const address = someAddress();
    const guess = () => tally(times(12, () => logInFrom(server, address, wrong(owner))));
    expect(await guess()).to.deep.equal({ INVALID_CREDENTIALS: 10, RATE_LIMITED: 2 });
    const { errors } = await logInFrom(server, address, owner);
    const { code, hint } = errors[0]!.extensions as { code: string; hint?: string };
    expect(code).to.equal("RATE_LIMITED");
    expect(errors[0]!.message).to.equal("Too many login attempts");
    expect(Number(/^Try again in (\d+) seconds\.$/.exec(hint!)?.[1])).to.be.within(880, 900);
    await query(server.databaseUrl, "update login_attempts set window_ends_at = now()");
    expect(codesOf(await logInFrom(server, address, owner))).to.deep.equal([]);
    expect(await guess()).to.deep.equal({ INVALID_CREDENTIALS: 10, RATE_LIMITED: 2 });
  });

  it("are answered alike for unknown addresses", async () => {
    const [here, account] = [someAddress(), unknown()];
    const answers = await Promise.all(times(11, () => logInFrom(server, here, account)));
    const there = await Promise.all(times(11, () => logInFrom(server, here, wrong(owner))));
    const shapes = (all: GraphqlAnswer[]) =>
      all.map(({ errors }) => JSON.stringify(errors).replace(/\d+ seconds/, "n seconds")).toSorted();
    expect(shapes(answers)).to.deep.equal(shapes(there));
    expect(shapes(answers).filter((shape) => shape.includes("RATE_LIMITED"))).to.have.length(1);
  });

  it("count an address in any case for one account", async () => {
    const address = someAddress();
    await tally(times(10, () => logInFrom(server, address, wrong(owner))));
    const shouted = { ...owner, email: owner.email.toUpperCase() };
    expect(codesOf(await logInFrom(server, address, shouted))).to.deep.equal(["RATE_LIMITED"]);
  });

  it("do not count with the correct password", async () => {
    const address = someAddress();
    expect(await tally(times(9, () => logInFrom(server, address, wrong(owner))))).to.deep.equal({
      INVALID_CREDENTIALS: 9,
    });
    for (let turn = 0; turn < 5; turn += 1) expect(codesOf(await logInFrom(server, address, owner))).to.deep.equal([]);
    expect(await tally(times(2, () => logInFrom(server, address, wrong(owner))))).to.deep.equal({
      INVALID_CREDENTIALS: 1,
      RATE_LIMITED: 1,
    });
  });

  it("allow a hundred attempts per address, for any accounts", async () => {
    const address = someAddress();
    const colleagues = await Promise.all(times(10, () => buildStaff(server.em, shop)));
    const accounts = [...times(20, unknown), ...times(9, () => colleagues).flat()];
    const guess = (some: typeof accounts) => tally(some.map((account) => logInFrom(server, address, wrong(account))));
    for (let made = 0; made < 100; made += 25) {
      expect(await guess(accounts.slice(made, made + 25))).to.deep.equal({ INVALID_CREDENTIALS: 25 });
    }
    expect(await guess(accounts.slice(100))).to.deep.equal({ RATE_LIMITED: 10 });
    expect(codesOf(await logInFrom(server, address, owner))).to.deep.equal(["RATE_LIMITED"]);
  });

  it("count an IPv6 network as one address", async () => {
    const network = `2001:db8:${randomInt(1, 0xffff).toString(16)}:1:`;
    await fillUp(server, () => times(2, (index) => logInFrom(server, `${network}:${index}`, unknown())));
    expect(codesOf(await logInFrom(server, `${network}ffff:0:0:1`, owner))).to.deep.equal(["RATE_LIMITED"]);
    const neighbor = network.replace(/1:$/, "2:");
    expect(codesOf(await logInFrom(server, `${neighbor}:1`, owner))).to.deep.equal([]);
  });

  it("do not let one address use up an account's limit", async () => {
    for (let turn = 0; turn < 5; turn += 1) {
      await tally(times(24, () => logInFrom(server, "192.0.2.1", wrong(owner))));
    }
    expect(codesOf(await logInFrom(server, someAddress(), owner))).to.deep.equal([]);
  });

  it("allow a hundred attempts per account from all addresses", async () => {
    const guess = (address: string) => tally(times(10, () => logInFrom(server, address, wrong(owner))));
    for (const address of times(10, someAddress))
      expect(await guess(address)).to.deep.equal({ INVALID_CREDENTIALS: 10 });
    expect(await guess(someAddress())).to.deep.equal({ RATE_LIMITED: 10 });
    expect(codesOf(await logInFrom(server, someAddress(), owner))).to.deep.equal(["RATE_LIMITED"]);
    expect(codesOf(await logInFrom(server, someAddress(), await buildStaff(server.em, shop)))).to.deep.equal([]);
  });

  it("store no addresses or accounts in counters", async () => {
    await logInFrom(server, someAddress(), wrong(owner));
    const rows = await query<{ key: Buffer }>(server.databaseUrl, "select key from login_attempts");
    expect(new Set(rows.map(({ key }) => key.length))).to.deep.equal(new Set([32]));
  });

  it("refuse malformed credentials without counting", async () => {
    for (const [account, path] of [
      [{ ...owner, email: "x\0@example.com" }, "email"],
      [{ ...owner, email: "\ud800@example.com" }, "email"],
      [{ ...owner, email: "x".repeat(255) }, "email"],
      [{ ...owner, password: "\0".repeat(12) }, "password"],
      [{ ...owner, password: "x".repeat(257) }, "password"],
    ] as const) {
      expect(issuesOf(await logInFrom(server, someAddress(), account))).to.deep.equal([path]);
    }
  });
});

describe("Logins behind two proxies", () => {
  const server = useServer({ config: { trustedProxies: 2 } });

  it("use the address that the outer proxy saw", async () => {
    const owner = await buildStaff(server.em, await buildShop(server.em));
    await logInFrom(server, "198.51.100.1, 203.0.113.7, 10.0.0.1", owner);
    const rows = await query<{ address: string }>(server.databaseUrl, "select address from sessions");
    expect(rows).to.deep.equal([{ address: "203.0.113.7" }]);
  });
});
