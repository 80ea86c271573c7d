import { createHash, randomBytes } from "node:crypto";

/** A secret that whoever holds it may use until it expires. */
export interface Token {
  token: string;
  expiresAt: Date;
}

/** 256 random bits, base64url. */
export function generateToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Tells whether a text may be a token, without asking the database. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** The digest of a token, as the database keeps it: with so many random bits, a fast hash is as good as a slow one. */
export function digestToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
