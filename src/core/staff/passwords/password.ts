import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import pLimit from "p-limit";
import { invalidInput } from "../../model/errors.ts";
import { text } from "../../validation/input.ts";
import { isGuessable } from "./guessable-password.ts";

/** The length of a new password (NIST SP 800-63B: length counts, composition does not). */
export const newPassword = text({ min: 12, max: 256 });

// Each hash takes 19 MiB and a thread of the pool shared with files and DNS, so a flood of logins waits in line.
const inTurn = pLimit(2);
const argon2Hash = promisify(argon2);
const derive: typeof argon2Hash = (...call) => inTurn(() => argon2Hash(...call));

// OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane.
const parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

/**
 * Hashes a new password for the account with this address.
 *
 * @throws AppError VALIDATION_FAILED when it is common or easy to guess
 */
export async function hashNewPassword(password: string, email: string): Promise<string> {
  await refuseGuessable(password, email, "password");
  return hashPassword(password);
}

/** @throws AppError VALIDATION_FAILED at `path` when the password is common or easy to guess */
export async function refuseGuessable(password: string, email: string, path: string): Promise<void> {
  if (!(await isGuessable(password, email))) return;
  const message = "Is too easy to guess: use several words that are unrelated to each other and to you";
  throw invalidInput([{ path, code: "too_common", message }]);
}

/** In PHC string format, so that the parameters can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive("argon2id", { message: password.normalize("NFC"), nonce, ...parameters });
  const { memory, passes, parallelism } = parameters;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (!found) throw new Error("Unknown password hash format");
  const [, memory, passes, parallelism, nonce, tag] = found as unknown as string[];
  const expected = Buffer.from(tag!, "base64");
  const actual = await derive("argon2id", {
    message: password.normalize("NFC"),
    nonce: Buffer.from(nonce!, "base64"),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
  });
  return timingSafeEqual(actual, expected);
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
