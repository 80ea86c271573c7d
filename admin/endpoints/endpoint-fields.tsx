import { useQuery } from "@tanstack/react-query";
import { Button } from "../ui/button.tsx";
import { Checkbox, FieldGroup, TextField } from "../ui/forms/form.tsx";
import { CloseIcon, PlusIcon } from "../ui/icons.tsx";
import { Notice, Skeleton } from "../ui/states.tsx";
import { topicsQuery } from "./endpoint-queries.ts";
import styles from "./endpoints.module.css";
import text from "../ui/text.module.css";
import { copy } from "./copy.ts";

const MAX_HEADERS = 10;

interface TopicFieldsProps {
  chosen: readonly string[];
  onChange: (topics: string[]) => void;
}

/** Checkboxes for the topics, each with its description. */
export function TopicFields({ chosen, onChange }: TopicFieldsProps) {
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

/** Fields for an endpoint's own headers. The values are write-only. */
export function HeaderFields({ headers, onChange }: HeaderFieldsProps) {
  const set = (index: number, changed: Partial<Header>) =>
    onChange(headers.map((header, each) => (each === index ? { ...header, ...changed } : header)));
  return (
    <FieldGroup name="headers" label={copy.fields.headers} hint={copy.fields.headersHint}>
      {headers.map(({ name, value }, index) => (
        <div key={index} className={styles.header}>
          <TextField
            name={`headers.${index}.name`}
            label={copy.fields.headerName(index + 1)}
            value={name}
            onChange={(event) => set(index, { name: event.currentTarget.value })}
          />
          <TextField
            name={`headers.${index}.value`}
            label={copy.fields.headerValue(index + 1)}
            value={value}
            onChange={(event) => set(index, { value: event.currentTarget.value })}
          />
          <Button
            variant="bare"
            aria-label={copy.fields.removeHeader(index + 1)}
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
          <PlusIcon /> {copy.fields.addHeader}
        </Button>
      </div>
    </FieldGroup>
  );
}
