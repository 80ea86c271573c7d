/** Stands in place of a value that nobody is to see. */
export const MASKED = "***";

/**
 * Secrets with a prefix of ours, to the end of the path segment or JSON string, as they may be cut or spaced; signing secrets
 * to the end of the path, since base64 has slashes. Tokens of sessions, invitations and resets have 43 characters and no prefix.
 */
const secrets = /(?:sk_live_|svt_)[^/"\\]*|whsec_[^"\\]*|(?<![\w-])[\w-]{43}(?![\w-])/g;

/** An encoded character of printable ASCII, however often its percent sign was encoded itself. */
const encoded = /%(?:25)*([2-7][\da-f])/gi;

/** Masks the secrets in a path or an error's body, also where they are percent-encoded. Other text stays as it is. */
export function maskSecrets(text: string): string {
  const decoded = text.replace(encoded, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const masked = decoded.replace(secrets, MASKED);
  return masked === decoded ? text : masked;
}
