import { IdLink, isId } from "../records/record-link.tsx";
import { ExactTime } from "../ui/values/time.tsx";
import type { AuditEntry } from "./audit-queries.ts";
import { copy } from "./copy.ts";

const TIME = /^\d{4}-\d\d-\d\dT/;

/** A detail of an entry in words, such as "Access: read products, write products". */
export function Detail({ detail: { name, value } }: { detail: AuditEntry["details"][number] }) {
  return (
    <>
      {copy.detail(copy.details[name] ?? sentenceCase(name))} <Value value={value} />
    </>
  );
}

function Value({ value }: { value: string }) {
  if (TIME.test(value)) return <ExactTime value={value} />;
  if (isId(value)) return <IdLink id={value} />;
  if (value === "true" || value === "false") return copy.booleans[value];
  return value.split(", ").map(inWords).join(", ");
}

/** Names of the API in words: read_products, CAPTURED, firstName. Other texts stay as they are. */
const inWords = (text: string) =>
  /^([a-z]+_[a-z_]+|[A-Z][A-Z_]{3,}|[a-z]+([A-Z][a-z]+)+)$/.test(text) ? sentenceCase(text).toLowerCase() : text;

function sentenceCase(name: string): string {
  const words = name
    .replaceAll("_", " ")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
