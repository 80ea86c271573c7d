import { Checkbox, FieldGroup } from "../ui/forms/form.tsx";
import { Tags } from "../ui/values/tags.tsx";
import styles from "./credentials.module.css";

const verbs = ["READ", "WRITE"] as const;
/** The right to do something to records of a kind. */
type Right<Thing extends string> = `${(typeof verbs)[number]}_${Thing}`;

/** The kinds of records that a credential opens, each with what may be done to them. */
export function Access({ things, rights }: { things: readonly string[]; rights: readonly string[] }) {
  const tags = things.map((thing) => {
    const held = verbs.filter((verb) => rights.includes(`${verb}_${thing}`));
    return [thing.toLowerCase(), held.join(", ").toLowerCase()] as const;
  });
  return <Tags tags={tags.filter(([, held]) => held !== "")} />;
}

interface AccessFieldsProps<Thing extends string> {
  name: string;
  hint?: string | undefined;
  things: readonly Thing[];
  rights: readonly Right<NoInfer<Thing>>[];
  /** Rights outside it are shown, and cannot be chosen. Without it all can. */
  available?: readonly Right<NoInfer<Thing>>[];
  onChange: (rights: Right<NoInfer<Thing>>[]) => void;
}

/** Rights to choose from. */
export function AccessFields<Thing extends string>(props: AccessFieldsProps<Thing>) {
  const { name, hint, things, rights, available, onChange } = props;
  const change = (right: Right<Thing>, isChosen: boolean) =>
    onChange(isChosen ? [...rights, right] : rights.filter((each) => each !== right));
  return (
    <FieldGroup name={name} label="Access" hint={hint}>
      <div className={styles.grid}>
        {things.flatMap((thing) =>
          verbs.map((verb) => {
            const right: Right<Thing> = `${verb}_${thing}`;
            return (
              <Checkbox
                key={right}
                label={`${verb === "READ" ? "Read" : "Write"} ${thing.toLowerCase()}`}
                checked={rights.includes(right)}
                disabled={available && !available.includes(right)}
                onChange={(isChosen) => change(right, isChosen)}
              />
            );
          }),
        )}
      </div>
    </FieldGroup>
  );
}
