import { METADATA } from "../../csv/columns.ts";
import { customerFields } from "../../model/customers/customer.entity.ts";
import type { ImportedCustomer } from "../../model/imports/imported.ts";
import { fieldOf } from "./column-names.ts";
import { Draft, type FileRecord } from "./draft.ts";
import type { Row } from "./read-rows.ts";
import { NO_VALUE, type Sheet } from "./sheet.ts";

const fieldNames = Object.keys(customerFields) as (keyof typeof customerFields)[];

/** Reads a customer from a row. */
export function readCustomer(sheet: Sheet, row: Row): FileRecord {
  const { isOwn } = sheet;
  const draft = new Draft(sheet, [row]);
  const given = fieldNames
    .filter((name) => sheet.has(fieldOf(name)))
    .map((name) => [name, draft.place(name, sheet.cell(row, fieldOf(name)))] as const)
    .filter(([name, text]) => text !== "" || name === "email" || sheet.layout.emptyCells === "CLEAR");
  const texts: Partial<Record<(typeof fieldNames)[number], string>> = Object.fromEntries(given);
  if (texts.email?.trim() === "") draft.addAt("email", "The email address is missing.", "Write it in this cell.");
  if (!isOwn && texts.email) texts.email = texts.email.replace(/^mailto:|^[^<>]*<([^<>]*)>$/i, "$1");
  if (!isOwn && texts.phone !== undefined) texts.phone = readPhone(texts.phone);
  const note = texts.note === "" ? { note: null } : {};
  const [, last, first] = /^([^,]+),\s*([^,]+)$/.exec(texts.firstName ?? "") ?? [];
  const isWhole = !isOwn && !sheet.has("LAST_NAME") && first !== undefined;
  const names = isWhole ? { firstName: first, lastName: last } : {};
  const metadata = draft.metadata("metadata", METADATA.record, [row]);
  return draft.toRecord({ ...texts, ...note, ...names, ...metadata } as ImportedCustomer);
}

function readPhone(text: string): string {
  if (NO_VALUE.test(text.replaceAll("0", ""))) return "";
  return text.replace(/^(=(?=\+?\d)|tel:)|(?<=\d{6})[.,]0$/gi, "");
}
