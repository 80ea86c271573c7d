import type { EntityManager } from "@mikro-orm/postgresql";
import { networkOf } from "../../../platform/http/address.ts";
import { addressKey } from "../../../platform/mail/email-address.ts";
import { digestKey, refuse, tryCount, type Counter } from "./throttle-counter.ts";

/** Mails in a window of the throttle, which are asked for by somebody else than who gets them. */
const RESETS_PER_ADDRESS = 20;
const RESETS_PER_ACCOUNT = 5;
const INVITATIONS_PER_SHOP = 100;
const INVITATIONS_PER_ADDRESS = 5;

/**
 * Counts that somebody asks for a mail with which to reset a password, whether or not there is such an account.
 *
 * @throws AppError RATE_LIMITED
 */
export async function countReset(em: EntityManager, email: string, address: string | null): Promise<void> {
  const network = address === null ? "" : networkOf(address);
  await countBoth(em, "Too many mails to reset a password", [
    { key: digestKey("reset address", network), limit: RESETS_PER_ADDRESS },
    { key: digestKey("reset account", addressKey(email)), limit: RESETS_PER_ACCOUNT },
  ]);
}

/** Counts an invitation's mail: whoever may invite could send mails to anybody. @throws AppError RATE_LIMITED */
export async function countInvitation(em: EntityManager, shopId: string, email: string): Promise<void> {
  await countBoth(em, "Too many invitations", [
    { key: digestKey("invitations", shopId), limit: INVITATIONS_PER_SHOP },
    { key: digestKey("invitations", shopId, addressKey(email)), limit: INVITATIONS_PER_ADDRESS },
  ]);
}

async function countBoth(em: EntityManager, refusal: string, counters: readonly Counter[]): Promise<void> {
  for (const counter of counters) {
    if (!(await tryCount(em, counter))) throw await refuse(em, counter, refusal);
  }
}
