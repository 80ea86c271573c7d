import { isIP } from "node:net";
import { z } from "zod";
import { isLoopbackAddress, isPublicAddress } from "../../../platform/public-address.ts";
import { trimInvisible } from "../../../platform/texts.ts";
import { checkText, text } from "../../model/text.ts";

export const MAX_URL_LENGTH = 2048;
const FIRST_UNPRIVILEGED_PORT = 1024;

/**
 * Top-level domains outside the public internet. https://www.iana.org/assignments/special-use-domain-names; RFC 9476;
 * ICANN's resolution 2024.07.29.06 for `internal`, and its report on name collisions for `home` and `corp`; RFC 6762,
 * appendix G, for the others of private networks; Kubernetes for `svc`. `example` is left out: it resolves to nothing,
 * and documentation and tests use it.
 */
const PRIVATE_DOMAINS = new Set(
  "localhost local internal onion alt arpa test invalid lan home corp intranet private localdomain svc".split(" "),
);

/** A webhook target. Parsing normalizes it, which shows its real host. */
export function targetUrl(allowLoopback: boolean) {
  const pasted = z
    .string()
    .transform(trimInvisible)
    .pipe(text({ max: MAX_URL_LENGTH }));
  return pasted.transform((value, context) => {
    const problem = checkTargetUrl(value, allowLoopback);
    if (problem) {
      context.addIssue({ code: "custom", message: problem });
      return z.NEVER;
    }
    const { href } = new URL(value);
    // Non-ASCII letters are longer in Punycode.
    for (const { code, message } of checkText("url", href, { max: MAX_URL_LENGTH })) {
      context.addIssue({ code: "custom", message, params: { code } });
    }
    return href;
  });
}

/**
 * Finds what is wrong with the text of a webhook target: it must use https, port 443 or 1024 and up, no user info, and
 * a host that may be public. `allowLoopback`, for development, also allows http and https to this machine. The
 * addresses of a name are checked at each connection.
 */
export function checkTargetUrl(value: string, allowLoopback: boolean): string | undefined {
  // URL parsers remove some control characters, which would join the lines of a name.
  if (/\p{Cc}/u.test(value)) return "Must not contain control characters";
  const url = URL.parse(value);
  if (!url) return "Must be a URL";
  if (url.username !== "" || url.password !== "") return "Must not contain a user name or password";
  const host = hostOf(url);
  if (allowLoopback && /^https?:$/.test(url.protocol) && isLoopbackHost(host)) return undefined;
  if (url.protocol !== "https:") return "Must be an https:// URL";
  if (url.port !== "" && Number(url.port) < FIRST_UNPRIVILEGED_PORT) return "Must use port 443, or 1024 and above";
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : "Must be a public IP address";
  return isPublicName(host) ? undefined : "Must be a public domain name";
}

/** The host of a URL: an address without brackets, or a name without a trailing dot. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

/** Returns true when a host is this machine, by its text alone. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || isLoopbackAddress(host);
}

function isPublicName(host: string): boolean {
  const labels = host.split(".");
  return labels.length > 1 && !labels.includes("") && !PRIVATE_DOMAINS.has(labels.at(-1)!);
}

/** The URL without its query, which may hold a secret of the receiver. */
export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
