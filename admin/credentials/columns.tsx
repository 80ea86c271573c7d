import { copy as recordCopy } from "../records/copy.ts";
import type { Column } from "../ui/table.tsx";
import text from "../ui/text.module.css";
import { Time } from "../ui/values/time.tsx";
import { copy } from "./copy.ts";

interface Credential {
  firstCharacters: string;
  lastCharacters: string;
  createdAt: string;
  createdByName: string | null;
  lastUsedAt: string | null;
}

export const secretColumn: Column<Credential> = {
  title: copy.secret,
  cell: ({ firstCharacters, lastCharacters }) => <code>{`${firstCharacters}…${lastCharacters}`}</code>,
};

/** When the credential was last used, and who created it. */
export const usageColumns: Column<Credential>[] = [
  {
    title: copy.lastUsed,
    narrow: "labeled",
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time value={lastUsedAt} /> : copy.never),
  },
  {
    title: copy.created,
    narrow: "labeled",
    cell: ({ createdAt, createdByName }) => (
      <>
        <Time value={createdAt} />{" "}
        <span className={text.small}>{recordCopy.by(createdByName ?? recordCopy.anOperator)}</span>
      </>
    ),
  },
];
