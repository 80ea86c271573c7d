import type { Operation } from "../access/operation.ts";
import { inTransaction } from "../access/operation.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../model/errors.ts";
import { MAX_LIMIT, type ReadPage } from "../model/page.ts";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import { Counts } from "../../platform/counts.ts";
import { listMetadataKeys } from "../queries/metadata.sql.ts";
import { csvHeader, csvRows } from "../csv/csv.ts";
import { exportedLists } from "./lists.ts";

export type ExportedListName = keyof typeof exportedLists;

/** Exports of one shop at a time, in each process. */
const MAX_AT_ONCE = 2;
const running = new Counts();

interface ExportOptions {
  list: ExportedListName;
  /** Arguments of the list's field in GraphQL. */
  filter?: Record<string, unknown>;
  /** Reads a page. The export holds no connection in between. */
  onPage?: ReadPage;
}

/**
 * Exports a list as CSV and records it in the audit log. Yields the file in pieces, the first with the header.
 *
 * @throws AppError VALIDATION_FAILED; CONFLICT while two exports of the shop are running. Both before the first piece
 */
export async function* exportList(
  operation: Operation,
  { list, filter = {}, onPage = (read) => read() }: ExportOptions,
): AsyncGenerator<string> {
  const { em, shop } = operation;
  const { columns: own, metadata, read } = exportedLists[list];
  if (running.of(shop.id) >= MAX_AT_ONCE) {
    const hint = "Retry when one of them has ended.";
    throw new AppError("CONFLICT", `${MAX_AT_ONCE} exports of this shop are running`, { hint });
  }
  running.add(shop.id, 1);
  try {
    const readAfter = (after: string | null) => onPage(() => read(em, shop.id, { ...filter, limit: MAX_LIMIT, after }));
    let page = await readAfter(null);
    await recordExport(operation, list, filter);
    const columns = [...own];
    for (const [start, kind] of Object.entries(metadata)) {
      const keys = await onPage(() => listMetadataKeys(em, shop.id, kind));
      columns.push(...keys.map((key) => start + key));
    }
    yield csvHeader(columns) + csvRows(columns, page.rows);
    while (page.nextCursor !== null) {
      page = await readAfter(page.nextCursor);
      yield csvRows(columns, page.rows);
    }
  } finally {
    running.add(shop.id, -1);
  }
}

/** The log has the names of the filters alone, because a search may be for a person. */
async function recordExport(operation: Operation, list: ExportedListName, filter: object): Promise<void> {
  const names = Object.keys(filter).join(", ");
  const details = { list, ...(names && { filters: names }) };
  const { id, name } = operation.shop;
  await inTransaction(operation, (inside) =>
    recordAudit(inside, { action: AuditAction.LIST_EXPORTED, target: { id, name }, details }),
  );
}
