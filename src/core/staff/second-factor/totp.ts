import { raw } from "@mikro-orm/postgresql";
import { Secret, TOTP } from "otpauth";
import { openSealed } from "../../../platform/encryption.ts";
import { SecondFactor } from "../../model/staff/second-factor.entity.ts";
import type { AccountServices } from "../accounts/caller.ts";

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

/** The owner to which the encrypted secret of an app is bound: it cannot be decrypted for another account. */
export function factorOwner(staffId: string): string {
  return `second-factor/${staffId}`;
}

const BATCH = 100;

/**
 * Encrypts the secrets of all authenticator apps with the first key, and returns their number. It may run beside other
 * work: a secret that is replaced during the run is left alone and checked again.
 *
 * @throws OperatorError that names the account whose secret cannot be decrypted; earlier changes stay
 */
export async function resealSecondFactors({ em, encryption }: AccountServices): Promise<number> {
  const isStale = { [raw("split_part(sealed_secret, '.', 1)")]: { $ne: encryption.keyNames[0] } };
  const options = { limit: BATCH, orderBy: { staff: "asc" }, disableIdentityMap: true } as const;
  let resealed = 0;
  for (;;) {
    const stale = await em.find(SecondFactor, isStale, options);
    if (stale.length === 0) return resealed;
    for (const { staff, sealedSecret } of stale) {
      const owner = factorOwner(staff.id);
      const newlySealed = encryption.seal(openSealed(encryption, sealedSecret, owner), owner);
      resealed += await em.nativeUpdate(SecondFactor, { staff: staff.id, sealedSecret }, { sealedSecret: newlySealed });
    }
  }
}
