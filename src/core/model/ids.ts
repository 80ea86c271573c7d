import { TypeID, typeidUnboxed } from "typeid-js";

/** The prefixes of identifiers: the specification's, and internal ones. */
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
  | "req"
  | "imp";

/** Generates a TypeID: the prefix, an underscore, and a UUIDv7 in base32, so that newer identifiers sort later. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}

/** The smallest identifier of a time. Earlier identifiers sort before it. */
export function firstIdOf(prefix: IdPrefix, moment: Date): string {
  const bytes = Buffer.alloc(16);
  // UUIDv7 begins with the milliseconds since 1970 (RFC 9562, section 5.7).
  bytes.writeUIntBE(moment.getTime(), 0, 6);
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}

const pattern = /^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Returns true for text in the format of an identifier. Any other text needs no query. */
export function isId(text: string): boolean {
  return pattern.test(text);
}
