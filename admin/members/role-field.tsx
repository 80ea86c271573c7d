import { roleDuties, roleNames } from "../shell/words.ts";
import { Choice } from "../ui/forms/choice.tsx";
import type { Role } from "./member-queries.ts";

const roles = (["OWNER", "MANAGER", "CLERK", "VIEWER"] as const).map((role) => [role, roleNames[role]] as const);

/** A role, and what it may do. */
export function RoleField({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const hint = `${roleNames[value]}: ${roleDuties[value]}.`;
  return <Choice name="role" label="Role" hint={hint} value={value} options={roles} onChange={onChange} />;
}
