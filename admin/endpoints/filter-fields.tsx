import { useQuery } from "@tanstack/react-query";
import { Checkbox, FieldGroup } from "../ui/forms/form.tsx";
import { Notice } from "../ui/states.tsx";
import { Tags } from "../ui/values/tags.tsx";
import { actorsQuery, topicsQuery, type Endpoint } from "./endpoint-queries.ts";
import styles from "./endpoints.module.css";
import { copy } from "./copy.ts";

/** What an endpoint leaves out. */
export type Filters = Pick<Endpoint, "fields" | "ignoredActorIds">;

export const noFilters: Filters = { fields: [], ignoredActorIds: [] };

const isOf = (topic: string) => (field: string) => field.startsWith(`${topic}.`);

/** The filters without fields of topics that are not chosen. */
export function filtersFor(topics: readonly string[], { fields, ignoredActorIds }: Filters) {
  return { fields: topics.flatMap((topic) => fields.filter(isOf(topic))), ignoredActorIds: [...ignoredActorIds] };
}

interface FilterFieldsProps {
  shopId: string;
  topics: readonly string[];
  filters: Filters;
  onChange: (filters: Filters) => void;
}

/** Checkboxes for the fields of the chosen topics, and for who can change them. */
export function FilterFields({ shopId, topics, filters, onChange }: FilterFieldsProps) {
  const { data: known = [] } = useQuery(topicsQuery);
  const { data: actors = [], error } = useQuery(actorsQuery(shopId));
  const { fields, ignoredActorIds } = filters;
  const fieldsOfTopics = known
    .filter(({ name }) => topics.includes(name))
    .flatMap((topic) => topic.fields.map((field) => `${topic.name}.${field}`));
  const toggled = (chosen: readonly string[], name: string) =>
    chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name];
  return (
    <>
      {fieldsOfTopics.length > 0 && (
        <FieldGroup name="fields" label={copy.filters.fields} hint={copy.filters.fieldsHint}>
          <div className={styles.choices}>
            {fieldsOfTopics.map((name) => (
              <Checkbox
                key={name}
                label={<code>{name}</code>}
                checked={fields.includes(name)}
                onChange={() => onChange({ ...filters, fields: toggled(fields, name) })}
              />
            ))}
          </div>
        </FieldGroup>
      )}
      <FieldGroup name="ignoredActorIds" label={copy.filters.actors} hint={copy.filters.actorsHint}>
        {error && <Notice tone="bad">{error.message}</Notice>}
        <div className={styles.choices}>
          {actors.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={ignoredActorIds.includes(id)}
              onChange={() => onChange({ ...filters, ignoredActorIds: toggled(ignoredActorIds, id) })}
            />
          ))}
        </div>
      </FieldGroup>
    </>
  );
}

/** The names of these actors. The ID of one that can no longer change anything. */
export function ActorNames({ shopId, ids }: { shopId: string; ids: readonly string[] }) {
  const { data: actors = [] } = useQuery(actorsQuery(shopId));
  const names = new Map(actors.map(({ id, name }) => [id, name]));
  return <Tags tags={ids.map((id) => [names.get(id) ?? id] as const)} />;
}
