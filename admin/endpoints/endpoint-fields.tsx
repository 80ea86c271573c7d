import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { Checkbox, FieldGroup, readText, TextField } from "../ui/forms/form.tsx";
import { CloseIcon, PlusIcon } from "../ui/icons.tsx";
import { Notice, Skeleton } from "../ui/states.tsx";
import { Tags } from "../ui/values/tags.tsx";
import { actorsQuery, topicsQuery, type Endpoint } from "./endpoint-queries.ts";
import styles from "./endpoints.module.css";
import text from "../ui/text.module.css";
import { copy } from "./copy.ts";

const MAX_HEADERS = 10;

interface EndpointFieldsProps {
  shopId: string;
  /** The endpoint as it is stored. */
  endpoint?: Endpoint;
  isPull: boolean;
}

/** The fields of an endpoint's settings. */
export function EndpointFields({ shopId, endpoint, isPull }: EndpointFieldsProps) {
  const { url, description, headerNames = [] } = endpoint ?? {};
  const [topics, setTopics] = useState<readonly string[]>(endpoint?.topics ?? []);
  const [replaces, setReplaces] = useState(headerNames.length === 0);
  return (
    <>
      {!isPull && (
        <TextField name="url" label={copy.fields.url} hint={copy.fields.urlHint} defaultValue={url} autoFocus />
      )}
      <TextField
        name="description"
        label={copy.fields.description}
        hint={copy.fields.descriptionHint}
        defaultValue={description ?? ""}
      />
      <TopicFields chosen={topics} onChange={setTopics} />
      <ChangedFields topics={topics} endpoint={endpoint} />
      <IgnoredActorFields shopId={shopId} endpoint={endpoint} />
      {headerNames.length > 0 && (
        <Checkbox
          label={copy.fields.replaceHeaders(headerNames.join(", "))}
          checked={replaces}
          onChange={setReplaces}
        />
      )}
      {!isPull && replaces && <HeaderFields />}
    </>
  );
}

/** The settings that push and pull endpoints have. */
export const readSettings = (values: FormData) => ({
  description: readText(values, "description") || null,
  topics: values.getAll("topic").map(String),
  fields: values.getAll("field").map(String),
  ignoredActorIds: values.getAll("actor").map(String),
});

/** The settings of a push endpoint. Headers are null if they are not replaced. */
export function readPushSettings(values: FormData) {
  const headers = Array.from({ length: MAX_HEADERS }, (_, index) => ({
    name: readText(values, `headers.${index}.name`),
    value: readText(values, `headers.${index}.value`),
  })).filter((_, index) => values.has(`headers.${index}.name`));
  return { url: readText(values, "url"), headers: values.has("replacesHeaders") ? headers : null };
}

interface ChoicesProps {
  name: string;
  options: readonly (readonly [value: string, label: ReactNode, detail?: string])[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** A list of checkboxes. */
function Choices({ name, options, chosen, onChange }: ChoicesProps) {
  return (
    <div className={styles.choices}>
      {options.map(([value, label, detail]) => (
        <Checkbox
          key={value}
          name={name}
          value={value}
          label={
            <>
              {label} {detail && <span className={text.small}>{detail}</span>}
            </>
          }
          checked={chosen.includes(value)}
          onChange={(isChosen) => onChange(isChosen ? [...chosen, value] : chosen.filter((each) => each !== value))}
        />
      ))}
    </div>
  );
}

function TopicFields({ chosen, onChange }: Pick<ChoicesProps, "chosen" | "onChange">) {
  const { data: topics, error } = useQuery(topicsQuery);
  const names = topics?.map(({ name }) => name) ?? [];
  const hasAll = names.length > 0 && names.every((name) => chosen.includes(name));
  return (
    <FieldGroup name="topics" label={copy.fields.topics}>
      {error && <Notice tone="bad">{error.message}</Notice>}
      {!topics && !error && <Skeleton rows={3} />}
      {topics && (
        <>
          <Checkbox label={copy.fields.allTopics} checked={hasAll} onChange={(all) => onChange(all ? names : [])} />
          <Choices
            name="topic"
            options={topics.map(
              ({ name, description }) => [name, <code key={name}>{name}</code>, description] as const,
            )}
            chosen={chosen}
            onChange={onChange}
          />
        </>
      )}
    </FieldGroup>
  );
}

/** The fields of the chosen topics. */
function ChangedFields({ topics, endpoint }: { topics: readonly string[]; endpoint: Endpoint | undefined }) {
  const { data: known = [] } = useQuery(topicsQuery);
  const [chosen, choose] = useState<readonly string[]>(endpoint?.fields ?? []);
  const fields = known
    .filter(({ name }) => topics.includes(name))
    .flatMap((topic) => topic.fields.map((field) => `${topic.name}.${field}`));
  if (fields.length === 0) return null;
  return (
    <FieldGroup name="fields" label={copy.filters.fields} hint={copy.filters.fieldsHint}>
      <Choices
        name="field"
        options={fields.map((name) => [name, <code key={name}>{name}</code>] as const)}
        chosen={chosen}
        onChange={choose}
      />
    </FieldGroup>
  );
}

function IgnoredActorFields({ shopId, endpoint }: { shopId: string; endpoint: Endpoint | undefined }) {
  const { actors, error } = useActors(shopId, endpoint);
  const [chosen, choose] = useState<readonly string[]>(endpoint?.ignoredActorIds ?? []);
  return (
    <FieldGroup name="ignoredActorIds" label={copy.filters.actors} hint={copy.filters.actorsHint}>
      {error && <Notice tone="bad">{error.message}</Notice>}
      <Choices name="actor" options={actors} chosen={chosen} onChange={choose} />
    </FieldGroup>
  );
}

/** The names of the actors that an endpoint leaves out. */
export function IgnoredActors({ shopId, endpoint }: { shopId: string; endpoint: Endpoint }) {
  const { actors } = useActors(shopId, endpoint);
  const ignored = actors.filter(([id]) => endpoint.ignoredActorIds.includes(id));
  return <Tags tags={ignored.map(([, name, detail]) => [name, detail] as const)} />;
}

/** Everyone who can change the shop, and ignored callers that no longer can. */
function useActors(shopId: string, endpoint: Endpoint | undefined) {
  const { data: active = [], isSuccess, error } = useQuery(actorsQuery(shopId));
  const { ignoredActorIds = [], ignoredActorNames = [] } = endpoint ?? {};
  const others = ignoredActorIds
    .map((id, index) => [id, ignoredActorNames[index] ?? id, isSuccess ? copy.filters.inactive : ""] as const)
    .filter(([id]) => !active.some(([each]) => each === id));
  return { actors: [...active, ...others], error };
}

/** Fields for an endpoint's headers, which replace the stored ones. The values are write-only. */
function HeaderFields() {
  const [rows, setRows] = useState<readonly string[]>([]);
  return (
    <FieldGroup name="headers" label={copy.fields.headers} hint={copy.fields.headersHint}>
      <input type="hidden" name="replacesHeaders" />
      {rows.map((row, index) => (
        <div key={row} className={styles.header}>
          <TextField name={`headers.${index}.name`} label={copy.fields.headerName(index + 1)} />
          <TextField name={`headers.${index}.value`} label={copy.fields.headerValue(index + 1)} />
          <Button
            variant="bare"
            aria-label={copy.fields.removeHeader(index + 1)}
            onClick={() => setRows(rows.filter((each) => each !== row))}
          >
            <CloseIcon />
          </Button>
        </div>
      ))}
      <div>
        <Button disabled={rows.length >= MAX_HEADERS} onClick={() => setRows([...rows, crypto.randomUUID()])}>
          <PlusIcon /> {copy.fields.addHeader}
        </Button>
      </div>
    </FieldGroup>
  );
}
