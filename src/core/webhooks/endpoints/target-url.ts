import { isIP } from "node:net";
import { invalidInput } from "../../model/errors.ts";
import { isLoopbackAddress, isPublicAddress } from "../../../platform/public-address.ts";
import { checkText } from "../../validation/input.ts";

export const MAX_URL_LENGTH = 2048;
const FIRST_UNPRIVILEGED_PORT = 1024;

/**
 * Top-level domains that never lead to the public internet.
 * https://www.iana.org/assignments/special-use-domain-names; RFC 9476; ICANN's resolution 2024.07.29.06 for `internal`.
 * `example` is left out: it leads nowhere, and is what documentation and tests are written with.
 */
const PRIVATE_DOMAINS = new Set(["localhost", "local", "internal", "onion", "alt", "arpa", "test", "invalid"]);

/**
 * The webhook target in its normal form, in which everybody sees the host that it leads to.
 *
 * @throws AppError VALIDATION_FAILED
 */
export function parseTargetUrl(text: string, allowLoopback: boolean): string {
  const problem = checkTargetUrl(text, allowLoopback);
  if (problem) throw invalidInput([{ path: "url", code: "invalid_value", message: problem }]);
  const { href } = new URL(text);
  // Letters beyond ASCII are longer there.
  const issues = checkText("url", href, { max: MAX_URL_LENGTH });
  if (issues.length > 0) throw invalidInput(issues);
  return href;
}

/**
 * Finds what is wrong with a webhook target as it is written: https, port 443 or 1024 and up, no user info, and a host
 * that may be public. With `allowLoopback`, for development, also http and https to this machine. Which addresses a
 * name leads to is another question, asked at each connection.
 */
export function checkTargetUrl(text: string, allowLoopback: boolean): string | undefined {
  // Parsers drop some of them, so that a name goes on in the next line.
  if (/\p{Cc}/u.test(text)) return "Must not contain control characters";
  const url = URL.parse(text);
  if (!url) return "Must be a URL";
  if (url.username !== "" || url.password !== "") return "Must not contain a user name or password";
  const host = hostOf(url);
  if (allowLoopback && /^https?:$/.test(url.protocol) && isLoopbackHost(host)) return undefined;
  if (url.protocol !== "https:") return "Must be an https:// URL";
  if (url.port !== "" && Number(url.port) < FIRST_UNPRIVILEGED_PORT) return "Must use port 443, or 1024 and above";
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : "Must be a public IP address";
  return isPublicName(host) ? undefined : "Must be a public domain name";
}

/** The host of a URL as an address without brackets, or a name without the dot that may end it. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

/** Tells whether a host, by its text alone, is this machine. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || isLoopbackAddress(host);
}

function isPublicName(host: string): boolean {
  const labels = host.split(".");
  return labels.length > 1 && !labels.includes("") && !PRIVATE_DOMAINS.has(labels.at(-1)!);
}

/** The URL without its query, which may hold a secret of the receiver. */
export function withoutQuery(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname;
}
