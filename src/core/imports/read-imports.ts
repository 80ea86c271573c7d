import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { ArgsType, Field, Int, ObjectType } from "type-graphql";
import { csvHeader, csvRows } from "./csv.ts";
import type { ImportKind } from "../model/imports/import.enums.ts";
import { ImportKind as Kind } from "../model/imports/import.enums.ts";
import { Import } from "../model/imports/import.entity.ts";
import { ImportedCustomer, ImportedProduct, ImportProblem } from "../model/imports/imported.ts";
import { DEFAULT_LIMIT, MAX_LIMIT, PageArgs, type Page } from "../model/page.ts";
import { columnsOf, conditionsOf, selectFields, type Columns, type Select, type Shown } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import { answerOf, finderOf } from "../queries/find-by-id.ts";
import { checkPage, readPage } from "../queries/list.ts";
import type { RowKey } from "../queries/row-key.ts";
import type { Selection } from "../queries/selection.ts";

/** An import with the selected fields. */
export type ShownImport = Shown<Import, "shopId" | "id" | "kind" | "createdBy">;

const done = sql<number>`created_count + updated_count + unchanged_count + left_count + refused_count`;
const total = sql<number>`item_count - faulty_count`;

function selectImport(em: EntityManager, selection: Selection): Select<ShownImport> {
  const columns: Columns<Import> = {
    ...columnsOf(em, Import),
    doneCount: done,
    secondsLeft: sql<number | null>`case when state = 'RUNNING' then ceil(
      extract(epoch from progress_at - started_at) / nullif(${done}, 0) * (${total} - ${done}))::int end`,
  };
  return selectFields(columns, selection, ["shopId", "id", "kind", "createdBy"]);
}

@ArgsType()
export class ListImportsArgs extends PageArgs {
  @Field(() => Kind, { description: "What the imports contain." })
  kind!: ImportKind;
}

/** Lists a shop's imports, newest first by default. @throws AppError VALIDATION_FAILED */
export function listImports(
  em: EntityManager,
  shopId: string,
  { kind, ...page }: ListImportsArgs,
  selection: Selection,
): Promise<Page<ShownImport>> {
  const conditions = conditionsOf<"imports">(["kind", "=", kind]);
  return readPage(em, {
    ...page,
    shopId,
    table: "imports",
    select: selectImport,
    selection,
    conditions,
    sort: "id",
    total: "counted",
  });
}

export const findImport = finderOf("imports", selectImport);
export const answerImport = answerOf("Import", findImport);

@ObjectType({ description: "A record of a file.", simpleResolvers: true })
export class ImportItem {
  @Field(() => Int, { description: "Its first row. The header is row 1." })
  firstRow!: number;

  @Field(() => Int, { description: "Its last row." })
  lastRow!: number;

  @Field(() => ImportedProduct, { nullable: true, description: "The product. Null in an import of customers." })
  product!: ImportedProduct | null;

  @Field(() => ImportedCustomer, { nullable: true, description: "The customer. Null in an import of products." })
  customer!: ImportedCustomer | null;

  @Field(() => [ImportProblem], { description: "Its problems. It is not imported if there are any." })
  problems!: ImportProblem[];
}

@ObjectType({ description: "A page of problems.", simpleResolvers: true })
export class ImportProblemPage {
  @Field(() => [ImportProblem], { description: "The problems on this page, in the order of the file." })
  items!: ImportProblem[];

  @Field(() => Int, { description: "The number of problems on all pages." })
  total!: number;
}

@ArgsType()
export class ListProblemsArgs {
  @Field(() => Int, { defaultValue: 1, description: "The page number, starting at 1." })
  page!: number;

  @Field(() => Int, { defaultValue: DEFAULT_LIMIT, description: "The number of problems per page, 1 to 250." })
  limit!: number;
}

const PREVIEWED = 10;

/** Reads the first records of a file. */
export async function readPreview(em: EntityManager, { shopId, id, kind }: ShownImport): Promise<ImportItem[]> {
  const rows = await kysely(em)
    .selectFrom("import_items")
    .select(["first_row as firstRow", "last_row as lastRow", "input", "problems"])
    .where("shop_id", "=", shopId)
    .where("import_id", "=", id)
    .orderBy("number")
    .limit(PREVIEWED)
    .execute();
  return rows.map(({ input, problems, ...item }) => ({
    ...item,
    product: kind === Kind.PRODUCTS ? (input as ImportedProduct) : null,
    customer: kind === Kind.CUSTOMERS ? (input as ImportedCustomer) : null,
    problems: (problems as ImportProblem[] | null) ?? [],
  }));
}

/** Reads a page of an import's problems. @throws AppError VALIDATION_FAILED */
export async function readProblems(
  em: EntityManager,
  { shopId, id }: ShownImport,
  { page, limit }: ListProblemsArgs,
): Promise<ImportProblemPage> {
  checkPage({ page, limit });
  const found = kysely(em)
    .selectFrom([
      "import_items",
      sql<{ problem: ImportProblem }>`jsonb_array_elements(problems)`.as<"each">(sql`each (problem)`),
    ])
    .where("shop_id", "=", shopId)
    .where("import_id", "=", id)
    .where("problems", "is not", null);
  const [rows, counted] = await Promise.all([
    found
      .select("problem")
      .orderBy("number")
      .offset((page - 1) * limit)
      .limit(limit)
      .execute(),
    found.select(sql<number>`count(*)::int`.as("total")).executeTakeFirstOrThrow(),
  ]);
  return { items: rows.map(({ problem }) => problem), ...counted };
}

/** The columns of the problems of a file. */
const problemColumns = ["row", "column", "value", "message", "remedy"];

/** Reads an import's problems as CSV, for spreadsheets, in batches. */
export async function* writeProblems(em: EntityManager, { shopId, id }: RowKey): AsyncGenerator<string> {
  yield csvHeader(problemColumns);
  for (let last = 0; ;) {
    const items = await kysely(em)
      .selectFrom("import_items")
      .select(["number", "problems"])
      .where("shop_id", "=", shopId)
      .where("import_id", "=", id)
      .where("problems", "is not", null)
      .where("number", ">", last)
      .orderBy("number")
      .limit(MAX_LIMIT)
      .execute();
    if (items.length === 0) return;
    last = items.at(-1)!.number;
    const problems = items.flatMap((item) => item.problems as ImportProblem[]);
    yield csvRows(
      problemColumns,
      problems.map((problem) => ({ ...problem })),
    );
  }
}
