import type { AuditAction } from "./audit-queries.ts";
import { copy } from "./copy.ts";

export type Area = keyof typeof copy.areas;
type KeysOf<Union> = Union extends unknown ? keyof Union : never;
type Labeled = KeysOf<(typeof copy.areas)[Area]["actions"]>;
/** Actions of the schema without a label, and labels without an action. */
type Mismatch = Exclude<AuditAction, Labeled> | Exclude<Labeled, AuditAction>;

/** The areas of the log, as options. It does not compile until each action belongs to an area. */
export const areas: Mismatch extends never ? (readonly [Area, string])[] : never = Object.entries(copy.areas).map(
  ([area, { title }]) => [area as Area, title] as const,
);

export const actionsOf = (area: Area) => Object.keys(copy.areas[area].actions) as AuditAction[];

export const actionLabels: Record<AuditAction, string> = Object.assign(
  {},
  ...Object.values(copy.areas).map(({ actions }) => actions),
);
