import type { CoreContext, Origin } from "../context.ts";
import type { CurrentShop } from "../shops/current-shop.ts";

/** Who changes something, and from where: what histories and the audit log keep of it. */
export interface Caller extends Origin {
  kind: "STAFF" | "SERVICE" | "OPERATOR" | "SYSTEM";
  id: string | null;
  name: string | null;
}

/** Whoever runs commands on the server. */
export const operator: Caller = { kind: "OPERATOR", id: null, name: null, address: null, userAgent: null };

/** The system, acting on its own. */
export const system: Caller = { ...operator, kind: "SYSTEM" };

const kinds = { apiKey: "SERVICE", service: "SERVICE", staff: "STAFF" } as const;

/** The caller of a mutation, and the shop that it named: the permission check has found both. */
export function authorizedShop(context: CoreContext, shopId: string): { caller: Caller; shop: CurrentShop } {
  const { actor, origin } = context;
  const { shop } = actor!.memberships.get(shopId)!;
  return { shop, caller: { kind: kinds[actor!.kind], id: actor!.id, name: actor!.name, ...origin } };
}
