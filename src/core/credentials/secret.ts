import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
// 27 base62 characters hold 160.8 random bits; 6 hold any CRC-32.
const RANDOM_LENGTH = 27;
const CHECKSUM_LENGTH = 6;

/** The prefixes of secrets: of API keys and of service tokens. */
export type SecretPrefix = "sk_live_" | "svt_";

/** Generates a secret: the prefix, random characters, and a checksum that detects typos without a query. */
export function generateSecret(prefix: SecretPrefix): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return `${prefix}${random}${checksum(random)}`;
}

/** Checks the format and checksum of a secret. A "valid" one may still be unknown. */
export function inspectSecret(prefix: SecretPrefix, secret: string): "valid" | "mistyped" | "unrecognized" {
  if (!secret.startsWith(prefix)) return "unrecognized";
  const rest = secret.slice(prefix.length);
  if (rest.length !== RANDOM_LENGTH + CHECKSUM_LENGTH || !/^[0-9A-Za-z]+$/.test(rest)) return "mistyped";
  return checksum(rest.slice(0, RANDOM_LENGTH)) === rest.slice(RANDOM_LENGTH) ? "valid" : "mistyped";
}

export function generateApiKeySecret(): string {
  return generateSecret("sk_live_");
}

export function inspectApiKeySecret(secret: string): ReturnType<typeof inspectSecret> {
  return inspectSecret("sk_live_", secret);
}

export function digestSecret(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

/** The digest as a key of a map, a character for each byte. */
export function digestText(secret: string): string {
  return hash("sha256", secret, "latin1");
}

/** The stored parts of a secret: its digest, and the first and last characters for display. */
export function fingerprintOf(
  prefix: SecretPrefix,
  secret: string,
): { digest: Buffer; firstCharacters: string; lastCharacters: string } {
  return {
    digest: digestSecret(secret),
    firstCharacters: secret.slice(0, prefix.length + 4),
    lastCharacters: secret.slice(-4),
  };
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
