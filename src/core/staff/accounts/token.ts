import { createHash, randomBytes } from "node:crypto";

/** A secret that its holder may use until it expires. */
export interface Token {
  token: string;
  expiresAt: Date;
}

/** 256 random bits in base64url. */
export function generateToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns true when a text has the format of a token. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** The stored digest of a token. With 256 random bits, a fast hash is sufficient. */
export function digestToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
