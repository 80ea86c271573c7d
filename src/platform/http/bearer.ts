/** The credential of an `Authorization: Bearer` header (RFC 6750); undefined when the header holds anything else. */
export function bearerOf(header: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header)?.[1];
}
