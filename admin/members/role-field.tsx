import { roleDescriptions, roleNames } from "../copy.ts";
import { Choice } from "../ui/forms/choice.tsx";
import { optionsOf } from "../ui/forms/options.ts";
import { copy } from "./copy.ts";
import type { Role } from "./member-queries.ts";

const roles = optionsOf<Role>(roleNames);

/** The field for a member's role, with a description of the chosen one. */
export function RoleField({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  return (
    <Choice
      name="role"
      label={copy.role}
      hint={roleDescriptions[value]}
      value={value}
      options={roles}
      onChange={onChange}
    />
  );
}
