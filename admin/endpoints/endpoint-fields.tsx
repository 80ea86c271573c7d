import { useQuery } from "@tanstack/react-query";
import { Button } from "../ui/button.tsx";
import { Checkbox, FieldGroup, TextField } from "../ui/forms/form.tsx";
import { CloseIcon, PlusIcon } from "../ui/icons.tsx";
import { Notice, Skeleton } from "../ui/states.tsx";
import { topicsQuery } from "./endpoint-queries.ts";
import styles from "./endpoints.module.css";
import text from "../ui/text.module.css";

const MAX_HEADERS = 10;

interface TopicFieldsProps {
  chosen: readonly string[];
  onChange: (topics: string[]) => void;
}

/** The catalogue's topics to choose from, each with when it is sent. */
export function TopicFields({ chosen, onChange }: TopicFieldsProps) {
  const { data: topics, error } = useQuery(topicsQuery);
  const names = topics?.map(({ name }) => name) ?? [];
  const hasAll = names.length > 0 && names.every((name) => chosen.includes(name));
  return (
    <FieldGroup name="topics" label="Topics">
      {error && <Notice tone="bad">{error.message}</Notice>}
      {!topics && !error && <Skeleton rows={3} />}
      {topics && (
        <>
          <Checkbox label="Every topic" checked={hasAll} onChange={(all) => onChange(all ? names : [])} />
          <div className={styles.choices}>
            {topics.map(({ name, description }) => (
              <Checkbox
                key={name}
                label={
                  <>
                    <code>{name}</code> <span className={text.small}>{description}</span>
                  </>
                }
                checked={chosen.includes(name)}
                onChange={(isChosen) => onChange(isChosen ? [...chosen, name] : chosen.filter((each) => each !== name))}
              />
            ))}
          </div>
        </>
      )}
    </FieldGroup>
  );
}

export interface Header {
  name: string;
  value: string;
}

interface HeaderFieldsProps {
  headers: readonly Header[];
  onChange: (headers: Header[]) => void;
}

/** Headers of an endpoint's own. Nobody sees their values again. */
export function HeaderFields({ headers, onChange }: HeaderFieldsProps) {
  const set = (index: number, changed: Partial<Header>) =>
    onChange(headers.map((header, each) => (each === index ? { ...header, ...changed } : header)));
  return (
    <FieldGroup name="headers" label="Headers" hint="Sent with each delivery. Their values are not shown again.">
      {headers.map(({ name, value }, index) => (
        <div key={index} className={styles.header}>
          <TextField
            name={`headers.${index}.name`}
            label={`Name ${index + 1}`}
            value={name}
            onChange={(event) => set(index, { name: event.currentTarget.value })}
          />
          <TextField
            name={`headers.${index}.value`}
            label={`Value ${index + 1}`}
            value={value}
            onChange={(event) => set(index, { value: event.currentTarget.value })}
          />
          <Button
            look="bare"
            aria-label={`Remove header ${index + 1}`}
            onClick={() => onChange(headers.filter((_, each) => each !== index))}
          >
            <CloseIcon />
          </Button>
        </div>
      ))}
      <div>
        <Button
          disabled={headers.length >= MAX_HEADERS}
          onClick={() => onChange([...headers, { name: "", value: "" }])}
        >
          <PlusIcon /> Add header
        </Button>
      </div>
    </FieldGroup>
  );
}
