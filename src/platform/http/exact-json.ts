import { Big } from "../money.ts";

/** A number of up to this many characters without an exponent is exact (IEEE 754: 15 significant digits). */
const SAFE_LENGTH = 15;

const tokens = /"([^"\\]*(?:\\.[^"\\]*)*)"|-?\d[\d.eE+-]*/g;

/**
 * Matches numbers that may be inexact, and texts that look like one. Most bodies have none and need no closer check.
 */
const suspicious = /[\d.]{16}|\d[eE]/;

/**
 * Finds the names of members whose number `JSON.parse` would round. The text must be valid JSON. A reviver would
 * overflow the stack on deep nesting.
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
  // Validation refuses it: a number beyond a double's range is beyond every bound.
  if (!Number.isFinite(value)) return true;
  if (value === 0) return !/[1-9]/.test(source.split(/e/i)[0]!);
  return new Big(source).eq(value);
}
