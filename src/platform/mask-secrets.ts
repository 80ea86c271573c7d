/** Replaces a secret value. */
export const MASKED = "***";

/**
 * Matches secrets with a prefix, up to the end of the path segment, JSON string or line, because they may be cut or spaced.
 * Signing secrets extend to the end of the path, since base64 has slashes. Tokens of sessions, invitations and resets
 * have 43 characters and no prefix.
 */
const secrets =
  /(?:sk_live_|svt_)[^/"\\\n]*|whsec_[^"\\\n]*|(?<=\bbearer\s{1,9})[\w.~+/=-]{8,}|(?<![\w-])[\w-]{43}(?![\w-])/gi;

/** A percent-encoded printable ASCII character, even if its percent sign is encoded again. */
const encoded = /%(?:25)*([2-7][\da-f])/gi;

/** Masks secrets in a path or an error body, also percent-encoded ones. Other text stays unchanged. */
export function maskSecrets(text: string): string {
  const decoded = text.replace(encoded, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const masked = decoded.replace(secrets, MASKED);
  return masked === decoded ? text : masked;
}
