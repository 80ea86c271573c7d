import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "sk_live_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
// 27 characters of 62 carry 160.8 random bits; 6 carry any CRC-32.
const RANDOM_LENGTH = 27;
const CHECKSUM_LENGTH = 6;
const pattern = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new secret: the prefix, random characters, and a checksum that tells a typo without asking the database. */
export function generateApiKeySecret(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return `${PREFIX}${random}${checksum(random)}`;
}

export function digestSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

/** "valid" says only that the text is whole, not that any shop has such a key. */
export function inspectApiKeySecret(secret: string): "valid" | "mistyped" | "foreign" {
  if (!secret.startsWith(PREFIX)) return "foreign";
  if (!pattern.test(secret)) return "mistyped";
  const end = PREFIX.length + RANDOM_LENGTH;
  return checksum(secret.slice(PREFIX.length, end)) === secret.slice(end) ? "valid" : "mistyped";
}

function checksum(text: string): string {
  let rest = crc32(text);
  let encoded = "";
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    encoded = ALPHABET[rest % ALPHABET.length] + encoded;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return encoded;
}
