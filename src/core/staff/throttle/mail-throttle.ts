import type { EntityManager } from "@mikro-orm/postgresql";
import { siteOf } from "../../../platform/http/client.ts";
import { addressKey } from "../../../platform/mail/email-address.ts";
import { digestKey, readCount, refuse, tryCount, type Counter } from "./throttle-counter.sql.ts";

/** Mails per window that are requested by someone other than the recipient. */
const RESETS_PER_SITE = 20;
const RESETS_PER_ACCOUNT = 5;
const RESETS = 1_000;
/** The part of all resets that unknown addresses may use up. The rest is kept for accounts. */
const RESETS_OF_STRANGERS = 800;
const INVITATIONS_PER_SHOP = 100;
const INVITATIONS_PER_ADDRESS = 5;

/**
 * Counts a request for a password reset, even for an unknown account. One site cannot use up an account's count, nor
 * the total, and all sites together cannot use up the part of accounts.
 *
 * @returns false for an unknown account when the part of strangers is used up. Its answer must be the usual one, because
 *   a refusal would show that the address has no account
 * @throws AppError RATE_LIMITED
 */
export async function countReset(
  em: EntityManager,
  { email, address, isKnown }: { email: string; address: string | null; isKnown: boolean },
): Promise<boolean> {
  const refusal = "Too many password reset emails";
  const total = { key: digestKey("resets"), limit: RESETS };
  // Read first, so that what is beyond the total writes no rows.
  const used = await readCount(em, total);
  if (used >= RESETS) throw await refuse(em, total, refusal);
  if (!isKnown && used >= RESETS_OF_STRANGERS) return false;
  const site = address === null ? "" : siteOf(address);
  await countEach(em, refusal, [
    { key: digestKey("reset site", site), limit: RESETS_PER_SITE },
    { key: digestKey("reset account", addressKey(email)), limit: RESETS_PER_ACCOUNT },
    total,
  ]);
  return true;
}

/** Counts an invitation's mail, because inviters can mail any address. @throws AppError RATE_LIMITED */
export async function countInvitation(em: EntityManager, shopId: string, email: string): Promise<void> {
  await countEach(em, "Too many invitations", [
    { key: digestKey("invitations", shopId), limit: INVITATIONS_PER_SHOP },
    { key: digestKey("invitations", shopId, addressKey(email)), limit: INVITATIONS_PER_ADDRESS },
  ]);
}

async function countEach(em: EntityManager, refusal: string, counters: readonly Counter[]): Promise<void> {
  for (const counter of counters) {
    if (!(await tryCount(em, counter))) throw await refuse(em, counter, refusal);
  }
}
