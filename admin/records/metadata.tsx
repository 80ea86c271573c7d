import type { TadaDocumentNode } from "gql.tada";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { readText, TextField } from "../ui/forms/form.tsx";
import layout from "../ui/layout.module.css";
import { fact, Facts } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import text from "../ui/text.module.css";
import { asShown, ChangeDialog } from "./change-dialog.tsx";
import { copy } from "./copy.ts";

type Changes = { key: string; value: string | null }[];

interface MetadataProps {
  /** A variant has the version of its product. */
  record: { id: string; version: number; metadata: readonly { key: string; value: string }[] };
  /** Changes the record. */
  document: TadaDocumentNode<
    unknown,
    { shopId: string; id: string; expectedVersion: number; input: { metadata: Changes } }
  >;
}

/** What other systems store with a record. */
export function Metadata({ canWrite, ...props }: MetadataProps & { canWrite: boolean }) {
  const { metadata } = props.record;
  const [isEditing, setEditing] = useState(false);
  const edit = canWrite && <Button onClick={() => setEditing(true)}>{copy.metadata.edit}</Button>;
  return (
    <Panel title={copy.metadata.title} action={edit}>
      {metadata.length === 0 && <p className={text.soft}>{copy.metadata.none}</p>}
      <Facts facts={metadata.map(({ key, value }) => fact(key, value))} />
      {isEditing && <MetadataDialog {...props} onClose={() => setEditing(false)} />}
    </Panel>
  );
}

/** What a field without line breaks shows of a value. */
const shown = (value = "") => value.replace(/[\r\n]/g, "");

export function MetadataDialog({ record, document, onClose }: MetadataProps & { onClose: () => void }) {
  const { id: shopId } = useShop();
  const [before] = useState(record.metadata);
  const [count, setCount] = useState(before.length + 1);
  const rows = Array.from({ length: count }, (_, index) => before[index]);
  const change = (values: FormData) => {
    const entries = rows.map((old, index) => {
      const value = readText(values, `metadata.${index}.value`);
      if (!old) return { key: readText(values, `metadata.${index}.key`), value };
      return { key: old.key, value: value === shown(old.value) ? old.value : value || null };
    });
    const metadata = entries.filter(({ key, value }) => key || value);
    return request(document, { shopId, ...asShown(record), input: { metadata } });
  };
  return (
    <ChangeDialog
      title={copy.metadata.title}
      description={copy.metadata.hint}
      label={copy.metadata.save}
      successMessage={copy.metadata.done}
      onClose={onClose}
      change={change}
    >
      {rows.map((old, index) => {
        const [key, value] = [`metadata.${index}.key`, `metadata.${index}.value`];
        if (old) return <TextField key={key} name={value} label={old.key} defaultValue={shown(old.value)} />;
        return (
          <div key={key} className={layout.pair}>
            <TextField name={key} label={copy.metadata.key} />
            <TextField name={value} label={copy.metadata.value} />
          </div>
        );
      })}
      <Button onClick={() => setCount(count + 1)}>{copy.metadata.add}</Button>
    </ChangeDialog>
  );
}
