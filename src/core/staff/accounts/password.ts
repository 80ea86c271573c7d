import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { ZxcvbnFactory } from "@zxcvbn-ts/core";
import pLimit from "p-limit";
import { invalidInput } from "../../model/errors.ts";
import { text } from "../../model/text.ts";

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

/**
 * A hash that this service computes at an affordable cost: argon2id, in PHC string format, with up to 64 MiB and 4 passes.
 * A larger one would keep other logins waiting.
 */
const PASSWORD_HASH =
  /^\$argon2id\$v=19\$m=(\d{1,5}),t=([1-4]),p=1\$([A-Za-z0-9+/]{11,64}={0,2})\$([A-Za-z0-9+/]{22,86}={0,2})$/;
const MAX_MEMORY = 65_536;

/** Reads the parameters of a hash. Undefined if the service would not compute it. */
function parseHash(hash: string) {
  const [, memory, passes, nonce, tag] = PASSWORD_HASH.exec(hash) ?? [];
  if (!(Number(memory) >= 8 && Number(memory) <= MAX_MEMORY)) return undefined;
  return {
    tag: Buffer.from(tag!, "base64"),
    nonce: Buffer.from(nonce!, "base64"),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: 1,
  };
}

/** Returns true for a hash that `verifyPassword` computes. */
export function isPasswordHash(hash: string): boolean {
  return parseHash(hash) !== undefined;
}

/** False for every password if `isPasswordHash` is false for the hash. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const parsed = parseHash(hash);
  if (!parsed) return false;
  const { tag, ...rest } = parsed;
  const actual = await derive("argon2id", { message: password.normalize("NFC"), tagLength: tag.length, ...rest });
  return timingSafeEqual(actual, tag);
}

function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

/** The minimum accepted score of zxcvbn, from 0 to 4. It stands for a hundred million guesses. */
const MIN_SCORE = 3;
/** The service's name and its parts. */
const SERVICE = ["merchant", "merchantapi", "merchant-api"];
/**
 * Limits on the judged characters and substitutions, such as 4 for a. Without them, judging some passwords blocks
 * everything else for a second; with them, the slowest known ones take 35 ms.
 */
const bounds = { maxLength: 64, l33tMaxSubstitutions: 10 };

let estimator: Promise<ZxcvbnFactory> | undefined;

/**
 * Returns true when a password is common or easy to guess: a common one twice or with a year, a row of keys, its
 * owner's address or the service's name, in any case.
 */
export async function isGuessable(password: string, email: string): Promise<boolean> {
  estimator ??= loadEstimator();
  const known = [email, ...email.split("@"), ...email.split(/[@.]/), ...SERVICE];
  return (await estimator).check(password.normalize("NFKC"), known).score < MIN_SCORE;
}

/**
 * Loaded when the first password is set, because most processes set none and it takes a fifth of a second and 30 MB.
 */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, ...bounds });
}
