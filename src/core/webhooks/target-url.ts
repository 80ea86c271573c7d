const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);
const FIRST_UNPRIVILEGED_PORT = 1024;

/**
 * What is wrong with a webhook target as it is written: https, port 443 or 1024 and up, no user info.
 * With `allowLoopback`, for development, also plain http to this machine. Which addresses the name leads
 * to is another question, asked at each connection.
 */
export function checkTargetUrl(text: string, allowLoopback: boolean): string | undefined {
  const url = URL.parse(text);
  if (!url) return "Must be a URL";
  if (url.username !== "" || url.password !== "") return "Must not contain a user name or password";
  if (allowLoopback && url.protocol === "http:" && LOOPBACK_HOSTS.has(url.hostname)) return undefined;
  if (url.protocol !== "https:") return "Must be an https:// URL";
  if (url.port !== "" && Number(url.port) < FIRST_UNPRIVILEGED_PORT) return "Must use port 443, or 1024 and up";
  return undefined;
}

/** How a target is named where its query, which may hold a secret of the receiver, is nobody's business. */
export function withoutQuery(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname;
}
