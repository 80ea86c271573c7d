import { FieldGroup } from "../ui/forms/field-group.tsx";
import { Checkbox } from "../ui/forms/form.tsx";
import { Tags } from "../ui/values/tags.tsx";
import { copy } from "./copy.ts";
import styles from "./credentials.module.css";

const verbs = ["READ", "WRITE"] as const;
type Resource = keyof typeof copy.resources;
/** The permission to read or write a resource. */
type Right<Name extends Resource> = `${(typeof verbs)[number]}_${Name}`;

/** The resources that a credential can access, each with its rights. */
export function Access({ resources, rights }: { resources: readonly Resource[]; rights: readonly string[] }) {
  const tags = resources.map((resource) => {
    const granted = verbs.filter((verb) => rights.includes(`${verb}_${resource}`));
    return [copy.resources[resource], granted.map((verb) => copy.rights[verb]).join(", ")] as const;
  });
  const [first] = tags;
  if (first && tags.every(([, granted]) => granted !== "" && granted === first[1])) {
    return <Tags tags={[[copy.allResources, first[1]]]} />;
  }
  return <Tags tags={tags.filter(([, granted]) => granted !== "")} />;
}

interface AccessFieldsProps<Name extends Resource> {
  name: string;
  hint?: string | undefined;
  resources: readonly Name[];
  rights: readonly Right<NoInfer<Name>>[];
  /** The rights that can be chosen; all by default. The others are disabled. */
  available?: readonly Right<NoInfer<Name>>[];
  onChange: (rights: Right<NoInfer<Name>>[]) => void;
}

/** Checkboxes for the rights of a credential. */
export function AccessFields<Name extends Resource>(props: AccessFieldsProps<Name>) {
  const { name, hint, resources, rights, available, onChange } = props;
  const change = (right: Right<Name>, isChosen: boolean) =>
    onChange(isChosen ? [...rights, right] : rights.filter((each) => each !== right));
  return (
    <FieldGroup name={name} label={copy.access} hint={hint}>
      <div className={styles.grid}>
        {resources.flatMap((resource) =>
          verbs.map((verb) => {
            const right: Right<Name> = `${verb}_${resource}`;
            return (
              <Checkbox
                key={right}
                label={(verb === "READ" ? copy.read : copy.write)(copy.resources[resource])}
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
