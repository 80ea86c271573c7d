import { createReadStream, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { addAbortSignal, type Writable } from "node:stream";
import { operator } from "../../core/access/actor.ts";
import { asOperator } from "../../core/access/operation.ts";
import { exportShop as writeShop } from "../../core/moves/export-shop.ts";
import { importShop as readShop } from "../../core/moves/import-shop.ts";
import { progress } from "../../platform/terminal.ts";
import { refuseUnready, runOnce } from "../open-app.ts";

/** Exports a closed shop to a new file that only its owner can read, or to standard output. */
export function exportShop({ shop, file }: { shop: string; file?: string }): Promise<void> {
  return runOnce(async ({ core }, _config, signal) => {
    const write = (destination: Writable) =>
      writeShop(asOperator(core.orm.em, shop), { destination, signal, onProgress: progress });
    await (file === undefined ? write(process.stdout) : writeNewFile(file, write));
  });
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
export function importShop({ file }: { file?: string }): Promise<void> {
  return runOnce(async (app, _config, signal) => {
    await refuseUnready(app);
    const { orm, encryption } = app.core;
    const source = addAbortSignal(signal, file === undefined ? process.stdin : createReadStream(file));
    console.log(await readShop({ em: orm.em, encryption }, operator, { source, onProgress: progress }));
  }, "secrets");
}
