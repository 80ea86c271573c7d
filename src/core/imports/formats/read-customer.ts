import { customerFields } from "../../model/customers/customer.entity.ts";
import type { ImportedCustomer, ImportProblem } from "../../model/imports/imported.ts";
import { newRecordSchema } from "../../model/editable.ts";
import { fieldOf } from "./column-names.ts";
import type { Row } from "./read-rows.ts";
import { RecordReader } from "./record-reader.ts";
import type { Sheet } from "./sheet.ts";

const schema = newRecordSchema(customerFields);
const fieldNames = Object.keys(customerFields) as (keyof typeof customerFields)[];

export function readCustomer(sheet: Sheet, row: Row): { input: ImportedCustomer; problems: ImportProblem[] } {
  const reader = new RecordReader(sheet, [row]);
  const given = fieldNames.filter((name) => sheet.has(fieldOf(name)));
  const texts = Object.fromEntries(given.map((name) => [name, reader.take(name, fieldOf(name))]));
  if (texts.email?.trim() === "") reader.addAt("email", "The email address is missing.", "Write it in this cell.");
  const checked = reader.check(schema, { ...texts, note: texts.note || null } as never);
  const input = Object.fromEntries(given.map((name) => [name, checked[name]]));
  return { input: input as unknown as ImportedCustomer, problems: reader.problems };
}
