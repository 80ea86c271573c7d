import { createReadStream, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { addAbortSignal, type Writable } from "node:stream";
import { operator } from "../../core/access/actor.ts";
import { asOperator } from "../../core/access/operation.ts";
import { Door } from "../../core/moves/live/door.ts";
import { exportShop as writeShop } from "../../core/moves/file/export-shop.ts";
import { importShop as readShop } from "../../core/moves/file/import-shop.ts";
import { OperatorError } from "../../platform/errors.ts";
import { progress } from "../../platform/terminal.ts";
import { refuseUnready, runOnce } from "../open-app.ts";

/** Exports a closed shop to a new file that only its owner can read, or to standard output. */
export function exportShop({ shop, file }: { shop: string; file?: string }): Promise<void> {
  return runOnce(async ({ core }, _config, signal) => {
    const write = (destination: Writable) =>
      writeShop(asOperator(core.orm.em, shop), {
        destination,
        encryption: core.encryption,
        signal,
        onProgress: progress,
      });
    await (file === undefined ? write(process.stdout) : writeNewFile(file, write));
  }, "secrets");
}

/** Writes a new file, and deletes it if it cannot be completed. */
async function writeNewFile(path: string, write: (destination: Writable) => Promise<void>): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await write(file.createWriteStream({ flush: true }));
  } catch (error) {
    // Synchronous, because the process may be about to end.
    rmSync(path);
    await file.close();
    throw error;
  }
}

/** Imports a shop and prints its id. */
export function importShop({ file, trusted: isTrusted }: { file?: string; trusted?: true }): Promise<void> {
  return runOnce(async (app, _config, signal) => {
    await refuseUnready(app);
    const { orm, encryption } = app.core;
    const source = addAbortSignal(signal, file === undefined ? process.stdin : createReadStream(file));
    console.log(await readShop({ em: orm.em, encryption }, operator, { source, isTrusted, onProgress: progress }));
  }, "secrets");
}

interface MoveOptions {
  shop: string;
  to: string;
  /** How the PostgreSQL of the destination reaches this database, if not by DATABASE_URL. */
  source?: string;
  door: string[];
  /** The backends of the source and the destination at the door, with a colon between them. */
  cells: string;
  dryRun?: true;
  undo?: true;
}

/** Moves an open shop to the database of another installation. */
export function moveShop({ shop: shopId, to, source, door: sockets, cells, dryRun, undo }: MoveOptions): Promise<void> {
  progress(undo ? `Taking back the move of ${shopId}` : `Checking whether ${shopId} can move`);
  return runOnce(async (app, { database }, signal) => {
    await refuseUnready(app);
    if (database.kind === "embedded") throw new OperatorError("A live move needs DATABASE_URL");
    const [, ...backends] = /^([\w-]+):([\w-]+)$/.exec(cells) ?? [];
    if (backends.length === 0) throw new OperatorError("--cells: Must be two names such as cell-a:cell-b");
    const door = new Door({ sockets, shopId, backends: { source: backends[0]!, destination: backends[1]! } });
    const action = undo ? "undo" : dryRun ? "check" : "move";
    await app.moveShop({ shopId, to, source: source ?? database.url, door, action, signal, onProgress: progress });
    const ends = { undo: "The move is taken back", check: "The shop can move", move: "The move is complete" };
    progress(ends[action]);
  }, "secrets");
}
