import { AppError, secondFactorMissing, unauthenticated } from "../model/errors.ts";
import type { RequestFacts } from "../../platform/telemetry/request-facts.ts";
import { Permission, SCOPES, type Actor, type Scope, type ShopMembership } from "../model/permissions.ts";
import type { CurrentShop } from "../model/shops/current-shop.ts";
import { requireOpen } from "./require-open.ts";
import { Plan } from "../model/shops/shop.entity.ts";
import { Role } from "../model/staff/staff.entity.ts";

/** Facts about an actor for the log and the metrics. It names no shop of somebody who has several. */
export function factsOf({ kind, id, memberships }: Actor): RequestFacts {
  const [shopId] = memberships.keys();
  const plans = new Set([...memberships.values()].map(({ shop }) => shop.plan));
  const plan = plans.size === 1 ? [...plans][0]! : "several";
  return { actor: { kind, id }, plan, ...(memberships.size === 1 && { shopId: shopId! }) };
}

const scopesByPermission: Partial<Record<Permission, Scope>> = {
  [Permission.READ_PRODUCTS]: "read_products",
  [Permission.WRITE_PRODUCTS]: "write_products",
  [Permission.READ_ORDERS]: "read_orders",
  [Permission.WRITE_ORDERS]: "write_orders",
  [Permission.READ_CUSTOMERS]: "read_customers",
  [Permission.WRITE_CUSTOMERS]: "write_customers",
};

/** The scope that lets an API key use what the permission guards; none for what no key may do. */
export function scopeFor(permission: Permission): Scope | undefined {
  return scopesByPermission[permission];
}

const reads = [Permission.READ_PRODUCTS, Permission.READ_ORDERS, Permission.READ_CUSTOMERS];
const everything = Object.values(Permission);

export const permissionsByRole: Record<Role, readonly Permission[]> = {
  [Role.OWNER]: everything,
  [Role.MANAGER]: everything.filter((permission) => permission !== Permission.SETTINGS),
  [Role.CLERK]: [...reads, Permission.WRITE_ORDERS, Permission.WRITE_CUSTOMERS],
  [Role.VIEWER]: reads,
};

/** Returns true when a shop requires a second factor that the member does not have. */
export function lacksSecondFactor(
  { requiresSecondFactor }: Pick<CurrentShop, "requiresSecondFactor">,
  role: Role,
  hasSecondFactor: boolean,
): boolean {
  return requiresSecondFactor && role === Role.OWNER && !hasSecondFactor;
}

/** A membership with the permissions of its role: none while somebody lacks the second factor that the shop requires. */
export function staffMembership(shop: CurrentShop, role: Role, hasSecondFactor: boolean): ShopMembership {
  const needsSecondFactor = lacksSecondFactor(shop, role, hasSecondFactor);
  return { shop, role, needsSecondFactor, permissions: new Set(needsSecondFactor ? [] : permissionsByRole[role]) };
}

/** Keys and endpoints a shop may have under its plan; the scopes its keys may have and use (spec section 5). */
export interface PlanLimits {
  scopes: readonly Scope[];
  apiKeys: number;
  webhookEndpoints: number;
}

const full: PlanLimits = { scopes: SCOPES, apiKeys: 10, webhookEndpoints: 25 };
const readOnly: PlanLimits = {
  scopes: SCOPES.filter((scope) => scope.startsWith("read_")),
  apiKeys: 2,
  webhookEndpoints: 3,
};
const nothing: PlanLimits = { scopes: [], apiKeys: 0, webhookEndpoints: 0 };

export function planLimits(shop: Pick<CurrentShop, "plan" | "trialHasEnded">): PlanLimits {
  switch (shop.plan) {
    case Plan.ENTERPRISE:
      return full;
    case Plan.TRIAL:
      return shop.trialHasEnded ? nothing : full;
    case Plan.GROWTH:
      return readOnly;
    case Plan.NONE:
      return nothing;
  }
}

/** The shop's plan as the subject of a sentence that says what it does not allow. */
export function describePlan({ plan, trialHasEnded, trialEndsAt }: CurrentShop): string {
  return trialHasEnded ? `The trial that ended at ${trialEndsAt!.toISOString()}` : `The ${plan} plan`;
}

/** @throws AppError PLAN_FORBIDS when the shop may not use the API, nor hear of its events (spec section 5) */
export function requireApiAccess(shop: CurrentShop): void {
  if (planLimits(shop).webhookEndpoints > 0) return;
  throw new AppError("PLAN_FORBIDS", `${describePlan(shop)} does not include webhooks`, {
    hint: `${upgradeHint(shop, ({ webhookEndpoints }) => webhookEndpoints > 0)} Failed deliveries can be replayed afterwards.`,
  });
}

/**
 * A caller who belongs to the shop, whatever they may do there, and how they belong to it.
 *
 * @throws AppError UNAUTHENTICATED, SHOP_NOT_FOUND, UNAVAILABLE while the shop is closed
 */
export function requireMembership(
  actor: Actor | undefined,
  shopId: string,
): { actor: Actor; membership: ShopMembership } {
  if (!actor) throw unauthenticated();
  const membership = actor.memberships.get(shopId);
  if (!membership) throw new AppError("SHOP_NOT_FOUND", "Shop not found");
  requireOpen(membership.shop);
  return { actor, membership };
}

/**
 * The one permission check, for both APIs.
 *
 * @throws AppError as requireMembership does; PLAN_FORBIDS (asked before the scope), SECOND_FACTOR_NOT_ENROLLED or FORBIDDEN
 */
export function requirePermission(caller: Actor | undefined, shopId: string, permission: Permission): void {
  const { actor, membership } = requireMembership(caller, shopId);
  if (actor.kind === "apiKey") {
    const scope = scopeFor(permission);
    if (scope && !planLimits(membership.shop).scopes.includes(scope)) {
      throw new AppError("PLAN_FORBIDS", "Plan does not allow this scope", {
        hint: scopeHint(scope, membership.shop),
      });
    }
    if (!membership.permissions.has(permission)) {
      throw new AppError("FORBIDDEN", "API key does not have the required scope", {
        hint: `This request requires the scope ${scope}. The scopes of a key cannot be changed: create a key with this scope.`,
      });
    }
  } else if (membership.needsSecondFactor) {
    throw secondFactorMissing("This shop requires two-factor authentication of its owners");
  } else if (!membership.permissions.has(permission)) {
    throw new AppError("FORBIDDEN", `This requires the permission ${permission}`);
  }
}

/** The hint of a refusal whose reason is the plan: it names the scope, and what to ask for. */
export function scopeHint(scope: Scope, shop?: CurrentShop): string {
  return `This request requires the scope ${scope}. ${upgradeHint(shop, ({ scopes }) => scopes.includes(scope))}`;
}

/** A hint at the plans that include something which the shop's own does not. */
export function upgradeHint(shop: CurrentShop | undefined, isIncluded: (limits: PlanLimits) => boolean): string {
  const plans = [Plan.GROWTH, Plan.ENTERPRISE].filter((plan) => isIncluded(planLimits({ plan, trialHasEnded: false })));
  const wanted = `Ask your administrator for the ${plans.join(" or ")} plan`;
  if (!shop?.trialHasEnded) return `${wanted}.`;
  return `The shop's trial ended at ${shop.trialEndsAt!.toISOString()}. ${wanted}, or for a longer trial.`;
}
