import { roleNames } from "../copy.ts";
import { useShop, type Permission } from "../queries.ts";
import { copy } from "./copy.ts";

/** Explains why the page is read-only for the viewer's role. */
export function ReadOnly({ needs, noun }: { needs: Permission; noun: string }) {
  const { can, role } = useShop();
  if (can(needs) || !role) return null;
  return <p>{copy.readOnly(roleNames[role].toLowerCase(), noun)}</p>;
}
