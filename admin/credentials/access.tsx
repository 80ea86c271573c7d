import { Checkbox, FieldGroup } from "../ui/forms/form.tsx";
import { Tags } from "../ui/values/tags.tsx";
import styles from "./credentials.module.css";
import { copy } from "./copy.ts";

const verbs = ["READ", "WRITE"] as const;
export type Resource = keyof typeof copy.resources;
/** The permission to read or write a resource, or to fetch events. */
export type Right<Name extends Resource> = Name extends "EVENTS" ? typeof FETCH : `${(typeof verbs)[number]}_${Name}`;
const FETCH = "RECEIVE_EVENTS";

/** The rights to read and write these resources. */
export const rightsTo = <Name extends Resource>(resources: readonly Name[]): Right<Name>[] =>
  resources.flatMap((resource) => {
    const rights = resource === "EVENTS" ? [FETCH] : verbs.map((verb) => `${verb}_${resource}`);
    return rights as Right<Name>[];
  });

/** The resources that a credential can access, each with its rights. */
export function Access({ resources, rights }: { resources: readonly Resource[]; rights: readonly string[] }) {
  const fetched = rights.includes(FETCH) ? [[copy.resources.EVENTS, copy.fetch] as const] : [];
  const data = resources.filter((resource) => resource !== "EVENTS");
  const tags = data.map((resource) => {
    const granted = verbs.filter((verb) => rights.includes(`${verb}_${resource}`));
    return [copy.resources[resource], granted.map((verb) => copy.rights[verb]).join(", ")] as const;
  });
  const [first] = tags;
  if (first && tags.every(([, granted]) => granted !== "" && granted === first[1])) {
    return <Tags tags={[[copy.allResources, first[1]], ...fetched]} />;
  }
  return <Tags tags={[...tags.filter(([, granted]) => granted !== ""), ...fetched]} />;
}

interface AccessFieldsProps<Name extends Resource> {
  name: string;
  hint?: string | undefined;
  resources: readonly Name[];
  rights: readonly Right<Name>[];
  /** The rights that can be chosen. The others are disabled. */
  available: readonly string[];
  onChange: (rights: Right<Name>[]) => void;
}

/** Checkboxes for the rights of a credential. */
export function AccessFields<Name extends Resource>(props: AccessFieldsProps<Name>) {
  const { name, hint, resources, rights, available, onChange } = props;
  const label = (right: Right<Name>) => {
    if (right === FETCH) return copy.fetchEvents;
    const [verb, resource] = right.split("_") as [(typeof verbs)[number], Name];
    return (verb === "READ" ? copy.read : copy.write)(copy.resources[resource]);
  };
  return (
    <FieldGroup name={name} label={copy.access} hint={hint}>
      <div className={styles.grid}>
        {rightsTo(resources).map((right) => (
          <Checkbox
            key={right}
            label={label(right)}
            checked={rights.includes(right)}
            disabled={!available.includes(right)}
            onChange={(isChosen) => onChange(isChosen ? [...rights, right] : rights.filter((each) => each !== right))}
          />
        ))}
      </div>
    </FieldGroup>
  );
}
