import { randomInt } from "node:crypto";
import { expect } from "chai";
import { codesOf, openBrowser } from "../browser/browser.ts";
import { query } from "../database.ts";
import type { TestStaff } from "../factories.ts";
import type { GraphqlAnswer } from "../graphql.ts";
import type { TestServer } from "../server.ts";

/** An IP address unique among these tests. */
export const someAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

export type Account = Pick<TestStaff, "email" | "password"> & { code?: string };

/** Logs in from an address that the proxy reports. */
export function logInFrom(server: TestServer, address: string, account: Account): Promise<GraphqlAnswer> {
  return openBrowser(server, { "x-forwarded-for": address }).logIn(account);
}

export const wrong = (account: Account) => ({ ...account, password: "a wrong password" });
export const unknown = () => ({ email: `nobody-${randomInt(2 ** 40)}@example.com`, password: "a wrong password" });

/** The number of concurrent answers with each code. */
export async function tally(answers: Promise<GraphqlAnswer>[]): Promise<Record<string, number>> {
  const codes = (await Promise.all(answers)).map((answer) => codesOf(answer)[0] ?? "in");
  return Object.fromEntries([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]));
}

export const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, i) => make(i));

/** Makes two guesses with one counter in common and fills that counter, instead of making a hundred guesses. */
export async function fillUp(server: TestServer, guesses: () => Promise<GraphqlAnswer>[]): Promise<void> {
  await query(server.databaseUrl, "delete from login_attempts");
  expect(await tally(guesses())).to.deep.equal({ INVALID_CREDENTIALS: 2 });
  const statement = "update login_attempts set attempts = 100 where attempts = 2 returning 1";
  expect(await query(server.databaseUrl, statement)).to.have.length(1);
}

/** Uses up the guesses of unknown places at the account. */
export const attack = (server: TestServer, account: Account) =>
  fillUp(server, () => times(2, () => logInFrom(server, someAddress(), wrong(account))));
