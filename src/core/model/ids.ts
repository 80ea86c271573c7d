import { TypeID, typeidUnboxed } from "typeid-js";

/** Prefixes of identifiers: the specification's, and those used inside. */
export type IdPrefix =
  | "shop"
  | "prod"
  | "var"
  | "ord"
  | "itm"
  | "pay"
  | "ref"
  | "cus"
  | "scr"
  | "evt"
  | "key"
  | "whe"
  | "whd"
  | "stf"
  | "ses"
  | "inv"
  | "svc"
  | "stk"
  | "aud"
  | "att"
  | "req";

/** A TypeID: the prefix, an underscore, and a UUIDv7 in base32, so that newer identifiers sort later. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}

/** The least identifier of a moment: those made before sort before it. */
export function firstIdOf(prefix: IdPrefix, moment: Date): string {
  const bytes = Buffer.alloc(16);
  // UUIDv7 begins with the milliseconds since 1970 (RFC 9562, section 5.7).
  bytes.writeUIntBE(moment.getTime(), 0, 6);
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}

const pattern = /^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Returns true when the text has the form of an identifier. Any other text is in no table and needs no query. */
export function isId(text: string): boolean {
  return pattern.test(text);
}
