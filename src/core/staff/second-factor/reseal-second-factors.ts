import { raw } from "@mikro-orm/postgresql";
import { openSealed } from "../../../platform/encryption.ts";
import type { AccountServices } from "../accounts/browser.ts";
import { factorOwner } from "./factor-owner.ts";
import { SecondFactor } from "../../model/staff/second-factor.entity.ts";

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
      const anew = encryption.seal(openSealed(encryption, sealedSecret, owner), owner);
      resealed += await em.nativeUpdate(SecondFactor, { staff: staff.id, sealedSecret }, { sealedSecret: anew });
    }
  }
}
