import { TextDecoder } from "node:util";
import type { LoggedHeader } from "../../core/model/webhooks/delivery-attempt.entity.ts";
import { MASKED } from "../../platform/mask-secrets.ts";

const MAX_HEADERS = 50;
/** The maximum number of bytes of all names and values. */
const MAX_LOGGED = 8 * 1024;
const MAX_VALUE = 1024;

/** Names of headers that may hold a secret. Challenges, as in WWW-Authenticate, do not. */
const secretName =
  /cookie|authori[sz]ation|token|secret|passw|session|(api|access)-?key|credential|signature|jwt|authentication-info/;

/** The first headers of an answer, as logged. Undici reads bytes as Latin-1, but most are UTF-8. */
export function loggedHeaders(headers: Record<string, string | string[] | undefined>): LoggedHeader[] {
  const logged: LoggedHeader[] = [];
  let size = 0;
  for (const [name, value = []] of Object.entries(headers)) {
    for (const one of [value].flat()) {
      const header: LoggedHeader = [readable(name), secretName.test(name) ? MASKED : readable(one)];
      size += Buffer.byteLength(header.join(""));
      if (size > MAX_LOGGED || logged.length === MAX_HEADERS) return logged;
      logged.push(header);
    }
  }
  return logged;
}

function readable(text: string): string {
  return loggedText(Buffer.from(text, "latin1"), MAX_VALUE);
}

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
