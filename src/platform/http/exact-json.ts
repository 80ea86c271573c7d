import { Big } from "../money.ts";

/** Up to this many characters, a number without exponent always survives (IEEE 754: 15 significant digits). */
const SAFE_LENGTH = 15;

const tokens = /"([^"\\]*(?:\\.[^"\\]*)*)"|-?\d[\d.eE+-]*/g;

/** A number that may not be exact, or a text that looks like one: most bodies have none, and need no closer look. */
const suspicious = /[\d.]{16}|\d[eE]/;

/**
 * Names the members whose number JSON.parse would round, so that what is kept would not be what was sent. The text must
 * be valid JSON. No reviver is used, which overflows the stack on deep nesting.
 */
export function findInexactNumbers(text: string): string[] {
  const inexact: string[] = [];
  if (!suspicious.test(text)) return inexact;
  let name = "";
  for (const [token, string] of text.matchAll(tokens)) {
    if (string !== undefined) name = string.includes("\\") ? (JSON.parse(token) as string) : string;
    else if (!isExact(token)) inexact.push(name);
  }
  return inexact;
}

function isExact(source: string): boolean {
  if (source.length <= SAFE_LENGTH && !/e/i.test(source)) return true;
  const value = Number(source);
  // What is out of a double's range is out of every bound as well: validation says so.
  if (!Number.isFinite(value)) return true;
  if (value === 0) return !/[1-9]/.test(source.split(/e/i)[0]!);
  return new Big(source).eq(value);
}
