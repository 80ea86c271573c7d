import { Secret, TOTP } from "otpauth";

/** The name of this service in the app. */
const issuer = "Merchant API";
/** RFC 6238 with the values that every app supports. */
const parameters = { algorithm: "SHA1", digits: 6, period: 30 };
/** The tolerated clock error, in steps, either way. */
const SKEW = 1;

/** A new secret in base32: 160 random bits (RFC 4226, section 4). */
export function generateTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The URL that apps import the secret from, mostly as a QR code. */
export function totpUri(secret: string, email: string): string {
  return new TOTP({ issuer, label: email, secret, ...parameters }).toString();
}

/** The time step of a code. Undefined when it matches none nearby. */
export function findStep(secret: string, code: string, now: Date): number | undefined {
  const totp = new TOTP({ secret, ...parameters });
  const timestamp = now.getTime();
  const distance = totp.validate({ token: code, timestamp, window: SKEW });
  return distance === null ? undefined : totp.counter({ timestamp }) + distance;
}
