import { AppError, secondFactorMissing, unauthenticated } from "../model/errors.ts";
import type { RequestFacts } from "../../platform/telemetry/request-facts.ts";
import { Permission, SCOPES, type Caller, type Needed, type Scope, type ShopMembership } from "../model/permissions.ts";
import type { CurrentShop } from "../model/shops/current-shop.ts";
import { Plan, SandboxState } from "../model/shops/shop.entity.ts";
import { Role } from "../model/staff/staff.entity.ts";

/** Facts about a caller for the log and the metrics. The shop is left out if the caller has several. */
export function factsOf({ kind, id, memberships }: Caller): RequestFacts {
  const [shopId] = memberships.keys();
  const plans = new Set([...memberships.values()].map(({ shop }) => shop.plan));
  const plan = plans.size === 1 ? [...plans][0]! : "several";
  return { caller: { kind, id }, plan, ...(memberships.size === 1 && { shopId: shopId! }) };
}

const scopesByPermission: Partial<Record<Permission, Scope>> = {
  [Permission.READ_PRODUCTS]: "read_products",
  [Permission.WRITE_PRODUCTS]: "write_products",
  [Permission.READ_ORDERS]: "read_orders",
  [Permission.WRITE_ORDERS]: "write_orders",
  [Permission.READ_CUSTOMERS]: "read_customers",
  [Permission.WRITE_CUSTOMERS]: "write_customers",
};

/** The scope that grants a permission to API keys. Undefined if no scope does. */
export function scopeFor(permission: Permission): Scope | undefined {
  return scopesByPermission[permission];
}

const reads = [Permission.READ_PRODUCTS, Permission.READ_ORDERS, Permission.READ_CUSTOMERS];
const { MANAGE_OWN_WEBHOOK_ENDPOINTS: OWN } = Permission;
/** Staff own no endpoints: they manage all. */
const everything = Object.values(Permission).filter((permission) => permission !== OWN);

/** Settings, and what services need of them. A received event is gone for the system that it was meant for. */
const ownersOnly = new Set<Permission>([
  Permission.SETTINGS,
  Permission.READ_LOGS,
  Permission.REPLAY_DELIVERIES,
  Permission.RECEIVE_EVENTS,
]);

export const permissionsByRole: Record<Role, readonly Permission[]> = {
  [Role.OWNER]: everything,
  [Role.MANAGER]: everything.filter((permission) => !ownersOnly.has(permission)),
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

/** A membership with the permissions of its role. It has none while the member lacks a required second factor. */
export function staffMembership(shop: CurrentShop, role: Role, hasSecondFactor: boolean): ShopMembership {
  const needsSecondFactor = lacksSecondFactor(shop, role, hasSecondFactor);
  return { shop, role, needsSecondFactor, permissions: new Set(needsSecondFactor ? [] : permissionsByRole[role]) };
}

/** A plan's limits of keys and endpoints, and the scopes that its keys may use. */
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

/** Names the shop's plan, as the start of a sentence. */
export function describePlan({ plan, trialHasEnded, trialEndsAt }: CurrentShop): string {
  return trialHasEnded ? `The trial that ended at ${trialEndsAt!.toISOString()}` : `The ${plan} plan`;
}

/** @throws AppError PLAN_FORBIDS when the plan does not include the API and webhooks */
export function requireApiAccess(shop: CurrentShop): void {
  if (planLimits(shop).webhookEndpoints > 0) return;
  throw new AppError("PLAN_FORBIDS", `${describePlan(shop)} does not include webhooks`, {
    hint: `${upgradeHint(shop, ({ webhookEndpoints }) => webhookEndpoints > 0)} Failed deliveries can be replayed afterward.`,
  });
}

/**
 * Finds the caller's membership in the shop, with any permissions.
 *
 * @throws AppError UNAUTHENTICATED, SHOP_NOT_FOUND, UNAVAILABLE while the shop is closed
 */
export function requireMembership(
  caller: Caller | undefined,
  shopId: string,
): { caller: Caller; membership: ShopMembership } {
  if (!caller) throw unauthenticated();
  const membership = caller.memberships.get(shopId);
  if (!membership) throw new AppError("SHOP_NOT_FOUND", "Shop not found");
  requireOpen(membership.shop);
  return { caller, membership };
}

/**
 * Checks a permission, for both APIs.
 *
 * @throws AppError as requireMembership does; PLAN_FORBIDS (checked before the scope), SECOND_FACTOR_NOT_ENROLLED or
 * FORBIDDEN
 */
export function requirePermission(caller: Caller | undefined, shopId: string, required: Needed): void {
  const [permission, isOfOwn] = typeof required === "string" ? [required, false] : [required.forAll, true];
  const {
    caller: { kind },
    membership,
  } = requireMembership(caller, shopId);
  if (kind === "apiKey") {
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
  } else if (!membership.permissions.has(permission) && !(isOfOwn && membership.permissions.has(OWN))) {
    const orOwn = isOfOwn && kind === "service" ? ` or ${OWN}` : "";
    throw new AppError("FORBIDDEN", `This requires the permission ${permission}${orOwn}`);
  }
}

/** @throws AppError FORBIDDEN for an address that the API key does not allow */
export function requireAllowedAddress({ allowsAddress }: Caller, address: string | undefined): void {
  if (!allowsAddress || (address !== undefined && allowsAddress(address))) return;
  throw new AppError("FORBIDDEN", `API key does not allow requests from ${address ?? "an unknown address"}`, {
    hint: "Send the request from an allowed address of the key, or add this one in Admin.",
  });
}

/** The hint of an error caused by the plan. It names the scope, and the plans that include it. */
export function scopeHint(scope: Scope, shop?: CurrentShop): string {
  return `This request requires the scope ${scope}. ${upgradeHint(shop, ({ scopes }) => scopes.includes(scope))}`;
}

/** Names the plans that include something the shop's plan does not. */
export function upgradeHint(shop: CurrentShop | undefined, isIncluded: (limits: PlanLimits) => boolean): string {
  const plans = [Plan.GROWTH, Plan.ENTERPRISE].filter((plan) => isIncluded(planLimits({ plan, trialHasEnded: false })));
  const wanted = `Ask the operator of this service for the ${plans.join(" or ")} plan`;
  if (!shop?.trialHasEnded) return `${wanted}.`;
  return `The shop's trial ended at ${shop.trialEndsAt!.toISOString()}. ${wanted}, or for a longer trial.`;
}

/** @throws AppError UNAVAILABLE while the shop is closed */
export function requireOpen({ closedAt, sandboxState }: Pick<CurrentShop, "closedAt" | "sandboxState">): void {
  const reason =
    sandboxState === SandboxState.FILLING ? "The sandbox is being filled" : "The shop is temporarily closed";
  if (closedAt) throw new AppError("UNAVAILABLE", reason, { hint: "Retry later." });
}
