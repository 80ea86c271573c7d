import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { ArgsType, Float, Int, ObjectType } from "type-graphql";
import { csvHeader, csvRows } from "../csv/csv.ts";
import { argumentsOf, field, nullable, objectOf } from "../model/fields.ts";
import { ImportKind } from "../model/imports/import.enums.ts";
import { Import } from "../model/imports/import.entity.ts";
import { ImportProblem, type ImportedCustomer, type ImportedProduct } from "../model/imports/imported.ts";
import { MAX_LIMIT, pageArguments, type Page, type ReadPage } from "../model/page.ts";
import { ProductStatus } from "../model/products/product.enums.ts";
import { DecimalScalar } from "../model/scalars.ts";
import { columnsOf, conditionsOf, selectFields, type Columns, type Select, type Shown } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import { answerOf, finderOf } from "../queries/find-by-id.ts";
import { checkPage, readPage } from "../queries/list.ts";
import type { RowKey } from "../queries/row-key.ts";
import type { Selection } from "../queries/selection.ts";

/** An import with the selected fields. */
export type ShownImport = Shown<Import, "shopId" | "id" | "kind" | "createdBy">;

const done = sql<number>`created_count + updated_count + unchanged_count + refused_count`;
const total = sql<number>`item_count - faulty_count`;

function selectImport(em: EntityManager, selection: Selection): Select<ShownImport> {
  const columns: Columns<Import> = {
    ...columnsOf(em, Import),
    doneCount: done,
    secondsLeft: sql<number | null>`case when state = 'RUNNING' then ceil(
      extract(epoch from now() - started_at) / nullif(${done}, 0) * (${total} - ${done}))::int end`,
  };
  return selectFields(columns, selection, ["shopId", "id", "kind", "createdBy"]);
}

@ArgsType()
export class ListImportsArgs extends argumentsOf({
  ...pageArguments,
  kind: field(ImportKind, "What the imports contain."),
}) {}

/** Lists a shop's imports, newest first by default. @throws AppError VALIDATION_FAILED */
export function listImports(
  em: EntityManager,
  shopId: string,
  { kind, ...page }: ListImportsArgs,
  selection: Selection,
): Promise<Page<ShownImport>> {
  const conditions = conditionsOf<"imports">(["kind", "=", kind]);
  const list = { table: "imports", select: selectImport, sort: "id", total: "counted" } as const;
  return readPage(em, { ...page, ...list, shopId, selection, conditions });
}

export const findImport = finderOf("imports", selectImport);
export const answerImport = answerOf("Import", findImport);

/** The most problems of a record that an answer has. */
const MAX_PROBLEMS = 20;

@ObjectType({ description: "A record of a file, as it will look.", simpleResolvers: true })
export class ImportItem extends objectOf({
  number: field(Int, "Its number, in the order of the file, starting at 1."),
  firstRow: field(Int, "Its first row. The header is row 1."),
  lastRow: field(Int, "Its last row."),
  name: nullable(String, "The title or the handle of a product, or the name of a customer."),
  status: nullable(ProductStatus, "The status of a product."),
  variantTitles: field([String], "The option values of each variant. Empty for a customer."),
  prices: field([DecimalScalar], "The prices of the variants. Empty if the file has none."),
  inventoryQuantity: nullable(Float, "The number of units in stock, of all variants. Null if the file has none."),
  email: nullable(String, "The email address of a customer."),
  phone: nullable(String, "The phone number of a customer."),
  problems: field([ImportProblem], `Its problems, the first ${MAX_PROBLEMS}. It is not imported if there are any.`),
}) {}

@ArgsType()
export class ListItemsArgs extends argumentsOf({
  areFaulty: field(Boolean, "Whether to list records with problems alone.", { defaultValue: false }),
  after: field(Int, "Lists the records after this number.", { defaultValue: 0 }),
  limit: field(Int, "The number of records, 1 to 250.", { defaultValue: 10 }),
}) {}

/** Reads records of a file in its order. @throws AppError VALIDATION_FAILED */
export async function listItems(em: EntityManager, key: RowKey, list: ListItemsArgs): Promise<ImportItem[]> {
  checkPage({ limit: list.limit });
  const rows = await readItems(em, key, list);
  return rows.map(({ input, problems, ...item }) => ({
    ...item,
    ...("email" in input ? showCustomer(input) : showProduct(input)),
    problems: problems.slice(0, MAX_PROBLEMS),
  }));
}

async function readItems(em: EntityManager, { shopId, id }: RowKey, { areFaulty, after, limit }: ListItemsArgs) {
  const rows = await kysely(em)
    .selectFrom("import_items")
    .select(["number", "first_row as firstRow", "last_row as lastRow", "input", "problems"])
    .where("shop_id", "=", shopId)
    .where("import_id", "=", id)
    .where("number", ">", after)
    .$if(areFaulty, (all) => all.where("problems", "is not", null))
    .orderBy("number")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    ...row,
    input: row.input as ImportedProduct | ImportedCustomer,
    problems: (row.problems ?? []) as ImportProblem[],
  }));
}

function showProduct({ title, handle, status, variants }: ImportedProduct) {
  const quantities = variants.flatMap(({ inventoryQuantity }) => inventoryQuantity ?? []);
  return {
    name: title ?? handle ?? null,
    status: status ?? null,
    variantTitles: variants.map(({ optionValues = [] }) => optionValues.join(" / ")),
    prices: variants.flatMap(({ price }) => price ?? []),
    inventoryQuantity: quantities.length > 0 ? quantities.reduce((sum, quantity) => sum + quantity) : null,
    email: null,
    phone: null,
  };
}

function showCustomer({ email, phone = null, firstName, lastName }: ImportedCustomer) {
  const name = [firstName, lastName].filter(Boolean).join(" ") || email;
  return { name, status: null, variantTitles: [], prices: [], inventoryQuantity: null, email, phone };
}

const problemColumns = ["row", "column", "value", "message", "remedy"];

/** Reads all problems of an import as CSV, in pages that `onPage` reads. */
export async function* writeProblems(em: EntityManager, key: RowKey, onPage: ReadPage): AsyncGenerator<string> {
  yield csvHeader(problemColumns);
  for (let after = 0; ;) {
    const items = await onPage(() => readItems(em, key, { areFaulty: true, after, limit: MAX_LIMIT }));
    if (items.length === 0) return;
    after = items.at(-1)!.number;
    yield csvRows(
      problemColumns,
      items.flatMap(({ problems }) => problems.map((problem) => ({ ...problem }))),
    );
  }
}
