import type { Origin } from "../context.ts";
import type { Permission } from "../model/permissions.ts";
import type { Staff } from "../model/staff/staff.entity.ts";
import { Big, inCurrency, type Currency } from "../../platform/money.ts";

/** Makes a change, as stored in histories and the audit log: a caller, an operator or the system, with its origin. */
export interface Actor extends Origin {
  kind: "STAFF" | "SERVICE" | "OPERATOR" | "SYSTEM";
  id: string | null;
  name: string | null;
  /** The permissions in the shop. Absent for operators, the system, and changes of an actor's own account. */
  permissions?: ReadonlySet<Permission>;
}

/** Runs commands on the server. */
export const operator: Actor = { kind: "OPERATOR", id: null, name: null, address: null, userAgent: null };

/** The service itself. */
export const system: Actor = { ...operator, kind: "SYSTEM" };

/** A staff member who changes their own account. */
export function staffActor({ id, email }: Pick<Staff, "id" | "email">, origin: Origin): Actor {
  return { kind: "STAFF", id, name: email, ...origin };
}

/** Returns true when an error may contain data that requires this permission. */
export function mayRead({ permissions }: Actor, permission: Permission): boolean {
  return permissions?.has(permission) ?? true;
}

/** The service token to whose own webhook endpoints an actor is limited, because it lacks one of these permissions. */
export function limitedTo(actor: Actor, ...needed: readonly Permission[]): string | undefined {
  return needed.every((permission) => mayRead(actor, permission)) ? undefined : actor.id!;
}

/** The end of an error message with what is left. Empty for an actor without the permission to read it. */
export function describeLeft(actor: Actor, permission: Permission, left: number | string): string {
  return mayRead(actor, permission) ? `: ${left}` : "";
}

/** `describeLeft` for money. An amount below 0 counts as 0. */
export function describeMoneyLeft(actor: Actor, permission: Permission, left: Big, shop: Currency): string {
  const amount = left.lt(0) ? new Big(0) : left;
  return describeLeft(actor, permission, `${inCurrency(amount, shop)} ${shop.currency}`);
}
