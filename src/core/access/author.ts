import type { Origin } from "../context.ts";
import type { Permission } from "../model/permissions.ts";
import type { Staff } from "../model/staff/staff.entity.ts";

/** The author of a change, as histories and the audit log keep it: who made it, and from where. */
export interface Author extends Origin {
  kind: "STAFF" | "SERVICE" | "OPERATOR" | "SYSTEM";
  id: string | null;
  name: string | null;
  /** Those in the shop; absent for an author who may do everything, and for changes of what is the author's own. */
  permissions?: ReadonlySet<Permission>;
}

/** The person who runs commands on the server. */
export const operator: Author = { kind: "OPERATOR", id: null, name: null, address: null, userAgent: null };

/** The system, acting on its own. */
export const system: Author = { ...operator, kind: "SYSTEM" };

/** A person who changes what is their own. */
export function staffAuthor({ id, email }: Pick<Staff, "id" | "email">, origin: Origin): Author {
  return { kind: "STAFF", id, name: email, ...origin };
}

/** Returns true when an error may show the author what this permission reads. */
export function mayRead({ permissions }: Author, permission: Permission): boolean {
  return permissions?.has(permission) ?? true;
}
