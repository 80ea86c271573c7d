import { Checkbox, FieldGroup } from "../ui/forms/form.tsx";
import { Tags } from "../ui/values/tags.tsx";
import styles from "./credentials.module.css";
import { copy } from "./copy.ts";

const verbs = ["READ", "WRITE"] as const;
/** The right to each resource that has only one. */
const onlyRights = {
  EVENTS: "RECEIVE_EVENTS",
  LOGS: "READ_LOGS",
  DELIVERIES: "REPLAY_DELIVERIES",
  ENDPOINTS: "MANAGE_OWN_WEBHOOK_ENDPOINTS",
} as const;
type Single = keyof typeof onlyRights;
export type Resource = keyof typeof copy.resources | Single;
/** A right to a resource. */
export type Right<Name extends Resource> = Name extends Single
  ? (typeof onlyRights)[Name]
  : `${(typeof verbs)[number]}_${Name}`;

const isSingle = (resource: Resource): resource is Single => resource in onlyRights;

/** The rights to these resources. */
export const rightsTo = <Name extends Resource>(resources: readonly Name[]): Right<Name>[] =>
  resources.flatMap((resource) => {
    const rights = isSingle(resource) ? [onlyRights[resource]] : verbs.map((verb) => `${verb}_${resource}`);
    return rights as Right<Name>[];
  });

/** The resources that a credential can access, each with its rights. */
export function Access({ resources, rights }: { resources: readonly Resource[]; rights: readonly string[] }) {
  const single = resources
    .filter(isSingle)
    .flatMap((resource) => (rights.includes(onlyRights[resource]) ? [copy.onlyRights[resource].tag] : []));
  const tags = resources
    .filter((resource) => !isSingle(resource))
    .map((resource) => {
      const granted = verbs.filter((verb) => rights.includes(`${verb}_${resource}`));
      return [copy.resources[resource], granted.map((verb) => copy.rights[verb]).join(", ")] as const;
    });
  const [first] = tags;
  if (first && tags.every(([, granted]) => granted !== "" && granted === first[1])) {
    return <Tags tags={[[copy.allResources, first[1]], ...single]} />;
  }
  return <Tags tags={[...tags.filter(([, granted]) => granted !== ""), ...single]} />;
}

interface AccessFieldsProps<Name extends Resource> {
  name: string;
  hint?: string | undefined;
  resources: readonly Name[];
  rights: readonly Right<Name>[];
  /** The rights that can be chosen. The others are disabled. */
  available: readonly string[];
  withoutRoute: readonly Right<Name>[] | undefined;
  onChange: (rights: Right<Name>[]) => void;
}

/** Checkboxes for the rights of a credential. */
export function AccessFields<Name extends Resource>(props: AccessFieldsProps<Name>) {
  const { name, hint, resources, rights, available, withoutRoute, onChange } = props;
  const label = (right: Right<Name>) => {
    const single = (resources as readonly Resource[])
      .filter(isSingle)
      .find((resource) => onlyRights[resource] === right);
    if (single) return copy.onlyRights[single].label;
    const [verb, resource] = right.split("_") as [(typeof verbs)[number], keyof typeof copy.resources];
    return (verb === "READ" ? copy.read : copy.write)(copy.resources[resource]);
  };
  return (
    <FieldGroup name={name} label={copy.access} hint={hint}>
      <div className={styles.grid}>
        {rightsTo(resources).map((right) => (
          <Checkbox
            key={right}
            label={withoutRoute?.includes(right) ? copy.withoutRoute(label(right)) : label(right)}
            checked={rights.includes(right)}
            disabled={!available.includes(right)}
            onChange={(isChosen) => onChange(isChosen ? [...rights, right] : rights.filter((each) => each !== right))}
          />
        ))}
      </div>
    </FieldGroup>
  );
}
