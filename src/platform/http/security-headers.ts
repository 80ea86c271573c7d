/** A year, in seconds, for which browsers use https only. */
const HTTPS_ONLY = 31_536_000;

/** Headers of every answer. HSTS leaves out subdomains: neighbors under the same domain may not have https yet. */
export function securityHeaders(baseUrl: string): Map<string, string> {
  const headers = new Map([["X-Content-Type-Options", "nosniff"]]);
  if (baseUrl.startsWith("https:")) headers.set("Strict-Transport-Security", `max-age=${HTTPS_ONLY}`);
  return headers;
}
