import type { EntityManager } from "@mikro-orm/postgresql";
import { CredentialStatus } from "../model/credentials/credential.ts";
import { ServiceToken } from "../model/credentials/service-token.entity.ts";
import type { Permission } from "../model/permissions.ts";
import type { CurrentShop } from "../model/shops/current-shop.ts";
import { Membership } from "../model/staff/staff.entity.ts";
import type { Actor } from "./actor.ts";
import { staffMembership } from "./permissions.ts";

/**
 * Says, as a sentence, why the author of earlier work may no longer do it in the shop: they were removed, disabled or
 * given another role, or their token was revoked or has expired. Undefined if they may, as operators always may.
 */
export async function findLostAuthority(
  em: EntityManager,
  shop: CurrentShop,
  { kind, id, name }: Pick<Actor, "kind" | "id" | "name">,
  needed: readonly Permission[],
): Promise<string | undefined> {
  const who = name ?? "The author";
  let permissions: ReadonlySet<Permission>;
  if (kind === "STAFF") {
    const key = { shopId: shop.sandboxOf ?? shop.id, staff: id! };
    const member = await em.findOne(Membership, key, { populate: ["staff"], disableIdentityMap: true });
    if (!member) return `${who} is no longer a member of the shop.`;
    if (member.staff.disabledAt) return `The account of ${who} is disabled.`;
    const membership = staffMembership(shop, member.role, member.staff.secondFactorAt !== null);
    if (membership.needsSecondFactor) return `${who} does not use two-factor authentication, which the shop requires.`;
    ({ permissions } = membership);
  } else if (kind === "SERVICE") {
    const token = await em.findOne(ServiceToken, { shopId: shop.id, id: id! }, { disableIdentityMap: true });
    if (token?.status !== CredentialStatus.ACTIVE) return `The service token ${who} was revoked or has expired.`;
    permissions = new Set(token.permissions);
  } else return undefined;
  const lost = needed.find((permission) => !permissions.has(permission));
  return lost && `${who} no longer has the permission ${lost}.`;
}
