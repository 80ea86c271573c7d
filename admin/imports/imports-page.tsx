import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { BackLink } from "../records/back-link.tsx";
import { By } from "../records/labels.tsx";
import { List } from "../records/list.tsx";
import { Page, Section } from "../ui/page.tsx";
import { Notice } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import text from "../ui/text.module.css";
import { Badge, type Tone } from "../ui/values/badge.tsx";
import { Time } from "../ui/values/time.tsx";
import { listImports, uploadFile, type ImportRow, type Kind } from "./import-queries.ts";
import styles from "./imports.module.css";
import { copy } from "./copy.ts";

export const ProductImportsPage = () => <ImportsPage kind="PRODUCTS" />;
export const CustomerImportsPage = () => <ImportsPage kind="CUSTOMERS" />;

/** The list that an import fills. */
export const listOf = { PRODUCTS: "/$shopId/products", CUSTOMERS: "/$shopId/customers" } as const;

const MAX_SIZE = 200 * 1024 * 1024;

/** Uploads a file, and lists earlier imports. */
function ImportsPage({ kind }: { kind: Kind }) {
  const { id: shopId } = useShop();
  const navigate = useNavigate();
  const [progress, setProgress] = useState(0);
  const upload = useMutation({
    mutationFn: async (file: File) => {
      if (file.size === 0 || file.size > MAX_SIZE) throw new Error(copy.wrongSize);
      setProgress(0);
      return uploadFile({ shopId, kind, file }, setProgress);
    },
    onSuccess: (importId) => navigate({ to: "/$shopId/imports/$importId", params: { shopId, importId } }),
  });
  return (
    <Page
      title={copy.titles[kind]}
      description={copy.description}
      back={<BackLink to={listOf[kind]} title={copy.lists[kind]} />}
    >
      {upload.error && <Notice tone="bad">{upload.error.message}</Notice>}
      {upload.isPending ? (
        <progress className={styles.progress} aria-label={copy.uploading} value={progress} />
      ) : (
        <label className={styles.file}>
          {copy.file}
          <input
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            onChange={({ currentTarget: { files } }) => files?.[0] && upload.mutate(files[0])}
          />
        </label>
      )}
      <Section title={copy.earlier}>
        <List
          caption={copy.earlier}
          filters={{ kind }}
          read={(page, options) => listImports({ ...page, kind }, options)}
          columns={columns(shopId)}
          empty={<p className={text.soft}>{copy.noEarlier}</p>}
        />
      </Section>
    </Page>
  );
}

const tones: Partial<Record<ImportRow["state"], Tone>> = { FINISHED: "good", FAILED: "bad", RUNNING: "warning" };

const columns = (shopId: string): Column<ImportRow>[] => [
  {
    title: copy.columns.file,
    cell: ({ id, fileName }) => (
      <Link to="/$shopId/imports/$importId" params={{ shopId, importId: id }} className={text.link}>
        {fileName}
      </Link>
    ),
  },
  {
    title: copy.columns.state,
    narrow: "end",
    cell: ({ state }) => <Badge tone={tones[state] ?? "neutral"}>{copy.states[state]}</Badge>,
  },
  {
    title: copy.columns.time,
    cell: ({ createdAt, createdByName }) => (
      <>
        <Time value={createdAt} /> <By name={createdByName} />
      </>
    ),
  },
];
