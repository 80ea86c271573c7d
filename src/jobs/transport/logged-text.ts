import { TextDecoder } from "node:util";

/**
 * The beginning of what a receiver sent, of so many bytes at most, in a form that PostgreSQL takes: what is not UTF-8 is
 * replaced, and NUL is left out.
 */
export function loggedText(bytes: Buffer, max: number): string {
  if (bytes.length === 0) return "";
  const text = decodeStart(bytes, max).replaceAll("\0", "");
  // Replaced bytes may take more room than before.
  return Buffer.byteLength(text) > max ? decodeStart(Buffer.from(text), max) : text;
}

/** A character that the end cuts through is left out. */
function decodeStart(bytes: Buffer, max: number): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return decoder.decode(bytes.subarray(0, max), { stream: bytes.length > max });
}
