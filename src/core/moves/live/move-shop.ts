import { setTimeout as wait } from "node:timers/promises";
import { OperatorError } from "../../../platform/errors.ts";
import { becomesTrue } from "../../../platform/recurring.ts";
import { asOperator, inTransaction } from "../../access/operation.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { Shop } from "../../model/shops/shop.entity.ts";
import { kysely } from "../../queries/database.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { transactional } from "../../queries/transaction.ts";
import { lockShop } from "../../shops/shops.ts";
import { openShop, timeToSettle } from "../close-shop.ts";
import { awaitWriters, lowerFence, raiseFence } from "./fence.sql.ts";
import { checkRoom, requireMovable, type Move } from "./move-checks.ts";
import {
  deleteMovedRows,
  describeExport,
  readAllRows,
  replaceShopRow,
  writeRowsOfShop,
  type MovedTable,
} from "../moved-rows.sql.ts";
import { listReplicatedTables } from "../moved-tables.ts";
import {
  countRows,
  findLosses,
  isPublished,
  isSubscribed,
  publish,
  readFollowed,
  readPosition,
  readProgress,
  subscribe,
  unpublish,
  unsubscribe,
} from "./replication.sql.ts";
import { RowWriter } from "../row-writer.ts";

/** Changes that may be missing when the shop is closed. Bytes. */
const NEAR = 256 * 1024;
/** The time in which they arrive. Milliseconds. */
const PATIENCE = 5_000;
const REPORT = 1_000;
/** The time without progress after which a copy has failed. Milliseconds. */
const STALL = 60_000;

/**
 * Moves an open shop to another database. It is closed only while the last changes follow. Continues a move that was
 * interrupted.
 *
 * @param isTrial checks only whether it can move
 * @throws OperatorError; the shop is then open at the source, or closed if it is unknown whether it is open there
 */
export async function moveShop(move: Move, isTrial: boolean): Promise<void> {
  const tables = await listTables(move);
  if (!(await hasArrived(move))) {
    await requireMovable(move, tables.all);
    if (isTrial) return;
    await copy(move, tables);
    await switchOver(move, tables);
  }
  // It may have moved on.
  if ((await move.to.count(Shop, { id: move.shopId, movedTo: null })) > 0) await move.door.sendTo("destination");
  await finish(move, tables);
}

/**
 * Takes back a move that was interrupted: the shop is open at the source, and gone at the destination. Can be repeated.
 *
 * @throws OperatorError when the shop has been opened at the destination
 */
export async function undoMove(move: Move): Promise<void> {
  const { from, to, shopId, signal } = move;
  if (await hasArrived(move)) {
    throw new OperatorError("The shop has been open at the destination. Run the move again to complete it");
  }
  if (!((await isPublished(from, shopId)) || (await isSubscribed(to, shopId)))) {
    throw new OperatorError("There is no move of this shop to take back");
  }
  const tables = await listTables(move);
  await takeBack(move, tables);
  await lowerFence(from, { tables: tables.fenced, shopId, signal });
  await move.door.sendTo("source");
  // Last, because the publication shows that a move is under way.
  await unpublish(from, shopId);
}

/** Deletes the copy, and opens the shop at the source. */
async function takeBack(move: Move, { all }: Tables): Promise<void> {
  const { to, shopId, destination } = move;
  await unsubscribe(move);
  if ((await to.count(Shop, { id: shopId, movedTo: destination })) > 0) await deleteMovedRows(to, shopId, all);
  await openAgain(move);
}

type Tables = Awaited<ReturnType<typeof listTables>>;

/** Accounts and the shop's own row are copied when the shop is opened at the destination. */
async function listTables({ from }: Move) {
  const all = await listReplicatedTables(kysely(from));
  const fenced = all.filter(({ owner }) => owner === "shop");
  return {
    all,
    fenced,
    replicated: fenced.filter(({ name }) => name !== "shops"),
    shops: fenced.find(({ name }) => name === "shops")!,
    ofMembers: all.filter(({ owner }) => owner === "member"),
  };
}

/**
 * Returns true when the shop has been opened at the destination. Waits for an opening whose outcome is unknown.
 *
 * @throws OperatorError when it was opened there, and is gone
 */
async function hasArrived({ from, to, shopId, destination }: Move): Promise<boolean> {
  if ((await from.count(Shop, { id: shopId, movedTo: destination })) === 0) return false;
  return transactional(to, async (inside) => {
    if ((await inside.count(Shop, { id: shopId })) > 0) {
      await lockShop(inside, shopId);
      return (await inside.count(Shop, { id: shopId, movedTo: destination })) === 0;
    }
    // A move that was not completed still publishes its changes.
    if (await isPublished(from, shopId)) return false;
    throw new OperatorError(`The shop has moved to ${destination}, and is not there any more`);
  });
}

async function copy(move: Move, tables: Tables): Promise<void> {
  const { from, to, shopId, source, onProgress } = move;
  const isBegun = await isSubscribed(to, shopId);
  const [loss] = isBegun ? await findLosses(move) : [];
  if (loss !== undefined) onProgress(`${loss}. Starting the copy over`);
  if (!isBegun || loss !== undefined) {
    // Left by a move that was interrupted.
    await takeBack(move, tables);
    if (isBegun || (await isPublished(from, shopId))) await move.door.sendTo("source");
    await publish(from, shopId, tables.replicated);
    await announce(move, tables.shops);
    onProgress("Starting the copy. This waits for transactions that run at the source");
  }
  await subscribe(to, shopId, source);
  await follow(move, tables);
}

/** Waits until few changes are missing. */
async function follow(move: Move, { replicated }: Tables): Promise<void> {
  const { from, to, shopId, onProgress, signal } = move;
  const counts = new Map((await countRows(from, shopId, replicated)).map(({ name, count }) => [name, count]));
  const sumOf = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
  const total = sumOf(counts.keys());
  const startedAt = performance.now();
  for (let best = -1, advancedAt = startedAt; ; await wait(REPORT, undefined, { signal })) {
    const { ready, copying } = await readProgress(to, shopId);
    const copied = Math.min(total, sumOf(ready) + copying);
    const position = await readPosition(from);
    const followed = ready.length === replicated.length ? await readFollowed(from, shopId) : 0;
    if (position - followed < NEAR) return;
    const now = performance.now();
    // Changes that follow are progress, too.
    const reached = copied + ready.length + followed;
    if (reached > best) {
      [best, advancedAt] = [reached, now];
    } else if (now - advancedAt > STALL) {
      const reasons = [...(await findLosses(move)), ...(await checkRoom(move, replicated))];
      throw new OperatorError(
        `The copy makes no progress. ${reasons[0] ?? "The logs of both PostgreSQL servers have the reason"}. Continue with the same command, or start again after --undo`,
      );
    }
    const left = ((now - startedAt) / 1_000) * (total / Math.max(copied, 1) - 1);
    const estimate = copied === 0 ? "" : `, about ${Math.ceil(left)} s left`;
    onProgress(`Copied ${copied.toLocaleString("en")} of ${total.toLocaleString("en")} rows${estimate}`);
  }
}

/** Creates the shop at the destination, closed, so that requests are refused and nothing is sent. */
async function announce({ from, to, shopId, destination }: Move, shops: MovedTable): Promise<void> {
  const json = `[${(await readAllRows(from, shops, shopId)).join()}]`;
  await transactional(to, async (inside) => {
    await writeRowsOfShop(kysely(inside), shops, { shopId, json });
    const closedAt = await databaseTime(inside);
    await inside.nativeUpdate(Shop, { id: shopId }, { closedAt, movedTo: destination });
  });
}

async function switchOver(move: Move, tables: Tables): Promise<void> {
  const { from, shopId, door, signal, onProgress } = move;
  await raiseFence(from, { tables: tables.fenced, shopId, signal });
  const startedAt = performance.now();
  try {
    await door.hold();
    await close(move);
    if (!(await awaitWriters(from, shopId))) throw new OperatorError("Requests of the shop did not end. Try again");
    await followToTheEnd(move);
    await openThere(move, tables);
  } catch (error) {
    // Unless it is open there, or that is unknown.
    if (!(await hasArrived(move))) {
      await openAgain(move);
      await door.sendTo("source");
      throw error;
    }
  }
  onProgress(
    `The shop is open at ${move.destination}. It was closed for ${Math.ceil(performance.now() - startedAt)} ms`,
  );
}

async function close({ from, shopId, destination }: Move): Promise<void> {
  await inTransaction(asOperator(from, shopId), async (inside) => {
    const { name, closedAt } = await lockShop(inside.em, shopId);
    if (closedAt) return;
    const target = { id: shopId, name };
    await recordAudit(inside, { action: AuditAction.SHOP_CLOSED, target, details: { movedTo: destination } });
    const now = await databaseTime(inside.em);
    await inside.em.nativeUpdate(Shop, { id: shopId }, { closedAt: now, movedTo: destination });
  });
}

async function followToTheEnd({ from, shopId }: Move): Promise<void> {
  const position = await readPosition(from);
  const hasFollowed = async () => (await readFollowed(from, shopId)) >= position;
  if (await becomesTrue(hasFollowed, PATIENCE)) return;
  throw new OperatorError("The last changes did not arrive in time. Try again");
}

/** Copies the accounts and the shop's own row, and opens the shop at the destination, all or nothing. */
async function openThere(
  { from, to, shopId, encryption, destination }: Move,
  { shops, ofMembers }: Tables,
): Promise<void> {
  const header = await describeExport(from, shopId);
  const own = await readAllRows(from, shops, shopId);
  await transactional(to, async (inside) => {
    const writer = await RowWriter.open(kysely(inside), {
      header,
      isOlder: false,
      encryption,
      onProgress: () => undefined,
    });
    for (const table of ofMembers) {
      for (const row of await readAllRows(from, table, shopId)) await writer.add({ table: table.name, row, line: 0 });
    }
    await writer.end();
    await replaceShopRow(kysely(inside), shops, `[${own.join()}]`);
    await openShop(asOperator(inside, shopId), { movedTo: destination });
  });
}

/** Opens the shop at the source. */
async function openAgain({ from, shopId, destination }: Move): Promise<void> {
  await openShop(asOperator(from, shopId), { movedTo: destination });
}

/** Ends the replication, and at last the fence, once no request can be left that found the shop open. */
async function finish(move: Move, { fenced }: Tables): Promise<void> {
  const { from, shopId, signal, onProgress } = move;
  await unsubscribe(move);
  await unpublish(from, shopId);
  const { closedAt } = await from.findOneOrFail(Shop, { id: shopId }, { disableIdentityMap: true });
  await wait(await timeToSettle(from, closedAt!, onProgress), undefined, { signal });
  await lowerFence(from, { tables: fenced, shopId, signal });
}
