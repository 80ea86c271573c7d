import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { OperatorError } from "./errors.ts";

/** Encrypts secrets at rest. `boundTo` names the row of a secret: the secret decrypts for that row only. */
export interface Encryption {
  /** The names of the keys. All of them decrypt; the first one encrypts. */
  keyNames: string[];
  /** @throws when no key is configured */
  seal: (plaintext: string, boundTo: string) => string;
  /** @throws when the text was encrypted for another row, was changed, or its key is not configured */
  open: (sealed: string, boundTo: string) => string;
  /** Signs a text with the first key. @throws when no key is configured */
  sign: (text: string, purpose: string) => string;
  /** Returns true for a signature of the text, for this purpose, by any of the keys. */
  verify: (signature: string, text: string, purpose: string) => boolean;
}

/** HMAC-SHA-256 by a key derived for the purpose (RFC 5869); the signature is `key name.digest`, base64url. */
function signWith({ name, key }: { name: string; key: Buffer }, text: string, purpose: string): string {
  const derived = Buffer.from(hkdfSync("sha256", key, "", purpose, 32));
  return `${name}.${createHmac("sha256", derived).update(text).digest("base64url")}`;
}

/** AES-256-GCM with a random 96-bit nonce; the sealed text is `key name.nonce.tag.ciphertext`, base64url. */
export function createEncryption(keys: { name: string; key: Buffer }[]): Encryption {
  const [current] = keys;
  const associated = (name: string, boundTo: string) => Buffer.from(`${name}\n${boundTo}`);
  return {
    keyNames: keys.map(({ name }) => name),
    seal: (plaintext, boundTo) => {
      if (!current) throw new Error("No encryption key is configured");
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", current.key, nonce);
      cipher.setAAD(associated(current.name, boundTo));
      const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()]);
      const parts = [nonce, cipher.getAuthTag(), ciphertext].map((part) => part.toString("base64url"));
      return [current.name, ...parts].join(".");
    },
    open: (sealed, boundTo) => {
      const [name = "", nonce = "", tag = "", ciphertext = ""] = sealed.split(".");
      const key = keys.find((candidate) => candidate.name === name);
      if (!key) throw new Error(`No encryption key named ${JSON.stringify(name)} is configured`);
      const decipher = createDecipheriv("aes-256-gcm", key.key, Buffer.from(nonce, "base64url"), { authTagLength: 16 });
      decipher.setAAD(associated(name, boundTo));
      decipher.setAuthTag(Buffer.from(tag, "base64url"));
      return decipher.update(Buffer.from(ciphertext, "base64url"), undefined, "utf8") + decipher.final("utf8");
    },
    sign: (text, purpose) => {
      if (!current) throw new Error("No encryption key is configured");
      return signWith(current, text, purpose);
    },
    verify: (signature, text, purpose) => {
      const given = Buffer.from(signature);
      const expected = keys.map((each) => Buffer.from(signWith(each, text, purpose)));
      return expected.some((each) => each.length === given.length && timingSafeEqual(each, given));
    },
  };
}

/** The name of the key that encrypted a text. In SQL: `split_part(sealed, '.', 1)`. */
export function keyNameOf(sealed: string): string {
  return sealed.slice(0, sealed.indexOf("."));
}

/**
 * Decrypts a secret that is about to be encrypted again. @throws OperatorError that names its owner when it cannot be
 * decrypted
 */
export function openSealed(encryption: Encryption, sealed: string, owner: string): string {
  try {
    return encryption.open(sealed, owner);
  } catch {
    throw new OperatorError(`The key ${keyNameOf(sealed)} cannot decrypt the secret of ${owner}`);
  }
}
