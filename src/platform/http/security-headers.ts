/** Seconds for which browsers come back by https alone: a year. */
const HTTPS_ONLY = 31_536_000;

/**
 * Headers of every answer, whoever writes it. Neighbours under the same domain may have no https yet, so that what is
 * said of it is said of this host alone.
 */
export function securityHeaders(baseUrl: string): Map<string, string> {
  const headers = new Map([["X-Content-Type-Options", "nosniff"]]);
  if (baseUrl.startsWith("https:")) headers.set("Strict-Transport-Security", `max-age=${HTTPS_ONLY}`);
  return headers;
}
