import { TextDecoder } from "node:util";

/**
 * The first bytes of a receiver's answer as text that PostgreSQL can store: invalid UTF-8 is replaced and NUL is
 * removed.
 */
export function loggedText(bytes: Buffer, max: number): string {
  if (bytes.length === 0) return "";
  const text = decodeStart(bytes, max).replaceAll("\0", "");
  // Replacement characters may take more bytes.
  return Buffer.byteLength(text) > max ? decodeStart(Buffer.from(text), max) : text;
}

/** Decodes the first bytes, without a character that is cut off at the end. */
function decodeStart(bytes: Buffer, max: number): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return decoder.decode(bytes.subarray(0, max), { stream: bytes.length > max });
}
