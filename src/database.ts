import { distribute as distributeTables, keepDistributed, type DistributeOptions } from "./core/cluster/distribute.ts";
import type { Move } from "./core/moves/live/move-checks.ts";
import { moveShop as move, undoMove } from "./core/moves/live/move-shop.ts";
import type { Encryption } from "./platform/encryption.ts";
import { reachDatabase } from "./platform/postgres/reach-database.ts";
import { changeSchema, migrate as applyMigrations, type SchemaOptions } from "./platform/postgres/migrate.ts";

/** Applies the migrations. On a cluster with distributed tables, new tables are distributed too. */
export function migrate(database: SchemaOptions): Promise<void> {
  return applyMigrations({ ...database, afterEach: keepDistributed });
}

/** Distributes the tables over the nodes of a cluster. Returns the statements. */
export function distribute(database: SchemaOptions, options: DistributeOptions): Promise<string[]> {
  return changeSchema(database, ({ em }) => distributeTables(em.fork(), options));
}

export interface MoveOptions extends Pick<Move, "shopId" | "source" | "door" | "signal" | "onProgress"> {
  /** The connection string of the destination. */
  to: string;
  action: "move" | "check" | "undo";
}

/** Moves an open shop to another database, checks whether it can move, or takes an interrupted move back. */
export async function moveShop(
  database: SchemaOptions,
  encryption: Encryption,
  { to: url, action, ...options }: MoveOptions,
): Promise<void> {
  await reachDatabase(url);
  const { host, pathname } = new URL(url);
  // No migration may run on either side.
  await changeSchema(database, (from) =>
    changeSchema({ ...database, url }, async (to) => {
      const ends = { from: from.em.fork(), to: to.em.fork(), encryption, destination: `${host}${pathname}` };
      await (action === "undo" ? undoMove({ ...options, ...ends }) : move({ ...options, ...ends }, action === "check"));
    }),
  );
}
