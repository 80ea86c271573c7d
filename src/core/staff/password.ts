import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify(argon2);

// OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane.
const parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };

/** PHC string format, so that the parameters can be raised later. */
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
