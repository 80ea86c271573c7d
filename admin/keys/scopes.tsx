import { Checkbox, FieldGroup } from "../ui/forms/form.tsx";
import type { ApiScope } from "./key-queries.ts";
import styles from "./keys.module.css";

const things = ["PRODUCTS", "ORDERS", "CUSTOMERS", "INVENTORY"] as const;
const verbs = ["READ", "WRITE"] as const;

/** What a key may be used for, in a word for each kind of record. */
export function Scopes({ scopes }: { scopes: readonly ApiScope[] }) {
  return (
    <ul className={styles.scopes}>
      {things.map((thing) => {
        const held = verbs.filter((verb) => scopes.includes(`${verb}_${thing}`));
        if (held.length === 0) return null;
        return (
          <li key={thing}>
            {thing.toLowerCase()} <span className={styles.verbs}>{held.join(", ").toLowerCase()}</span>
          </li>
        );
      })}
    </ul>
  );
}

interface ScopeFieldsProps {
  chosen: readonly ApiScope[];
  /** What the plan includes. */
  available: readonly ApiScope[];
  onChange: (scopes: ApiScope[]) => void;
}

/** Scopes to choose from. Those that the plan lacks are shown, and why they cannot be chosen. */
export function ScopeFields({ chosen, available, onChange }: ScopeFieldsProps) {
  const change = (scope: ApiScope, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, scope] : chosen.filter((each) => each !== scope));
  const lacks = verbs.some((verb) => things.some((thing) => !available.includes(`${verb}_${thing}`)));
  return (
    <FieldGroup
      name="scopes"
      label="Access"
      hint={lacks ? "Access that is greyed out is not part of the shop's plan." : undefined}
    >
      <div className={styles.grid}>
        {things.flatMap((thing) =>
          verbs.map((verb) => {
            const scope: ApiScope = `${verb}_${thing}`;
            return (
              <Checkbox
                key={scope}
                label={`${verb === "READ" ? "Read" : "Write"} ${thing.toLowerCase()}`}
                checked={chosen.includes(scope)}
                disabled={!available.includes(scope)}
                onChange={(isChosen) => change(scope, isChosen)}
              />
            );
          }),
        )}
      </div>
    </FieldGroup>
  );
}
