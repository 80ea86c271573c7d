import type { EntityManager } from "@mikro-orm/postgresql";
import { siteOf } from "../../../platform/http/address.ts";
import { addressKey } from "../../../platform/mail/email-address.ts";
import { digestKey, refuse, tryCount, type Counter } from "./throttle-counter.sql.ts";

/** Mails in a window of the throttle, which are asked for by somebody else than who gets them. */
const RESETS_PER_SITE = 20;
const RESETS_PER_ACCOUNT = 5;
const RESETS = 1_000;
const INVITATIONS_PER_SHOP = 100;
const INVITATIONS_PER_ADDRESS = 5;

/**
 * Counts that somebody asks for a mail with which to reset a password, whether or not there is such an account. One site
 * cannot use up an account's count, nor that of all.
 *
 * @throws AppError RATE_LIMITED
 */
export async function countReset(em: EntityManager, email: string, address: string | null): Promise<void> {
  const site = address === null ? "" : siteOf(address);
  await countEach(em, "Too many password reset emails", [
    { key: digestKey("reset site", site), limit: RESETS_PER_SITE },
    { key: digestKey("reset account", addressKey(email)), limit: RESETS_PER_ACCOUNT },
    { key: digestKey("resets"), limit: RESETS },
  ]);
}

/** Counts an invitation's mail: whoever may invite could send mails to anybody. @throws AppError RATE_LIMITED */
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
