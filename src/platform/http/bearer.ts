/** The credential of an `Authorization: Bearer` header (RFC 6750). Undefined for other headers. */
export function bearerOf(header: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header)?.[1];
}
