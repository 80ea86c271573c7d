import type { EntityManager } from "@mikro-orm/postgresql";
import { Secret } from "otpauth";
import { digestToken } from "../accounts/token.ts";
import { RecoveryCode } from "../../model/staff/second-factor.entity.ts";

const COUNT = 10;
/** 80 random bits cannot be guessed, so a fast hash is sufficient. */
const BYTES = 10;

/** Replaces the recovery codes of an account. Only their digests are stored. */
export async function replaceRecoveryCodes(em: EntityManager, staffId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, () => new Secret({ size: BYTES }).base32.toLowerCase());
  await em.nativeDelete(RecoveryCode, { staff: staffId });
  await em.insertMany(
    RecoveryCode,
    codes.map((code) => ({ staff: staffId, codeDigest: digestToken(code) })),
  );
  return codes.map((code) => code.match(/.{4}/g)!.join("-"));
}

/** Consumes a recovery code, given without dashes. Returns false when the account has no such code. */
export async function spendRecoveryCode(em: EntityManager, staffId: string, code: string): Promise<boolean> {
  return (await em.nativeDelete(RecoveryCode, { staff: staffId, codeDigest: digestToken(code.toLowerCase()) })) > 0;
}
