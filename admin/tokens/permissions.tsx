import { Checkbox, FieldGroup } from "../ui/forms/form.tsx";
import type { Permission } from "./token-queries.ts";
import styles from "./tokens.module.css";

const things = ["PRODUCTS", "ORDERS", "CUSTOMERS"] as const;
const verbs = ["READ", "WRITE"] as const;

/** The things that a token may do something to, each with what. */
export function Permissions({ permissions }: { permissions: readonly Permission[] }) {
  return (
    <ul className={styles.permissions}>
      {things.map((thing) => {
        const may = verbs.filter((verb) => permissions.includes(`${verb}_${thing}`));
        return may.length === 0 ? null : (
          <li key={thing}>
            {thing.toLowerCase()} <span className={styles.verbs}>{may.join(", ").toLowerCase()}</span>
          </li>
        );
      })}
    </ul>
  );
}

interface PermissionFieldsProps {
  chosen: readonly Permission[];
  onChange: (permissions: Permission[]) => void;
}

export function PermissionFields({ chosen, onChange }: PermissionFieldsProps) {
  const change = (permission: Permission, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, permission] : chosen.filter((each) => each !== permission));
  return (
    <FieldGroup name="permissions" label="Access" hint="Settings are people's alone.">
      <div className={styles.grid}>
        {things.flatMap((thing) =>
          verbs.map((verb) => {
            const permission: Permission = `${verb}_${thing}`;
            return (
              <Checkbox
                key={permission}
                label={`${verb === "READ" ? "Read" : "Write"} ${thing.toLowerCase()}`}
                checked={chosen.includes(permission)}
                onChange={(isChosen) => change(permission, isChosen)}
              />
            );
          }),
        )}
      </div>
    </FieldGroup>
  );
}
