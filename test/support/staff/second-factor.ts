import { expect } from "chai";
import { TOTP } from "otpauth";
import { codesOf, openBrowser, type TestBrowser } from "../browser/browser.ts";
import { query } from "../database.ts";
import type { TestStaff } from "../factories.ts";
import type { TestServer } from "../server.ts";

export interface TestFactor {
  secret: string;
  /** The code that turned it on. */
  usedCode: string;
  recoveryCodes: string[];
}

/** The app's code this number of steps from now. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });
}

/** Six digits that match none of the current codes. */
export function wrongCode(secret: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps)));
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !near.has(code))!;
}

export const begin = (browser: TestBrowser, password: string) => browser.send("beginSecondFactor", { password });
export const confirm = (browser: TestBrowser, code: string) => browser.send("confirmSecondFactor", { code });

/** Turns on a second factor from a logged-in browser. Uses up the current code. */
export async function enroll(browser: TestBrowser, { password }: TestStaff): Promise<TestFactor> {
  const { secret } = (await begin(browser, password)).data.beginSecondFactor;
  const usedCode = codeOf(secret);
  const answer = await confirm(browser, usedCode);
  expect(codesOf(answer)).to.deep.equal([]);
  return { secret, usedCode, recoveryCodes: answer.data.confirmSecondFactor };
}

/** Turns on a second factor from a new browser. The current code may be used again. */
export async function buildFactor(server: TestServer, staff: TestStaff): Promise<TestFactor> {
  const browser = openBrowser(server);
  await browser.logIn(staff);
  const factor = await enroll(browser, staff);
  await forgetCodes(server, staff);
  return factor;
}

/** Resets used codes, instead of waiting for the next one. */
export async function forgetCodes(server: TestServer, { id }: TestStaff): Promise<void> {
  await query(server.databaseUrl, "update second_factors set last_step = 0 where staff_id = $1", [id]);
}
