import { Secret, TOTP } from "otpauth";

/** The name of this service in the app. */
const issuer = "Merchant API";
/** RFC 6238 as every app has it: some take no other values. */
const parameters = { algorithm: "SHA1", digits: 6, period: 30 };
/** Steps by which a clock may be wrong, either way. */
const SKEW = 1;

/** A new secret in base32: 160 random bits (RFC 4226, section 4). */
export function generateTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address by which apps take the secret over, most often from a QR code of it. */
export function totpUri(secret: string, email: string): string {
  return new TOTP({ issuer, label: email, secret, ...parameters }).toString();
}

/** The time step that this is the code of; undefined when it is of none that is near enough. */
export function findStep(secret: string, code: string, now: Date): number | undefined {
  const totp = new TOTP({ secret, ...parameters });
  const timestamp = now.getTime();
  const distance = totp.validate({ token: code, timestamp, window: SKEW });
  return distance === null ? undefined : totp.counter({ timestamp }) + distance;
}
