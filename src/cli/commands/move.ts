import { createReadStream, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { addAbortSignal, type Writable } from "node:stream";
import { operator } from "../../core/access/author.ts";
import { asOperator } from "../../core/access/operation.ts";
import { exportShop as writeShop } from "../../core/moves/export-shop.ts";
import { importShop as readShop } from "../../core/moves/import-shop.ts";
import { progress } from "../../platform/process/progress.ts";
import { refuseUnready } from "../refuse-unready.ts";
import { runOnce } from "../run-once.ts";

/** Writes a closed shop to a new file for its owner alone, or to standard output. */
export function exportShop({ shop, file }: { shop: string; file?: string }): Promise<void> {
  return runOnce(async ({ core }, _config, signal) => {
    const write = (destination: Writable) =>
      writeShop(asOperator(core.orm.em, shop), {
        destination: addAbortSignal(signal, destination),
        onProgress: progress,
      });
    await (file === undefined ? write(process.stdout) : writeNewFile(file, write));
  });
}

/** Nothing is left of a file that could not be written to its end. */
async function writeNewFile(path: string, write: (destination: Writable) => Promise<void>): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await write(file.createWriteStream({ flush: true }));
  } catch (error) {
    // At once: the process may be about to end.
    rmSync(path);
    await file.close();
    throw error;
  }
}

/** Prints the shop's id. */
export function importShop({ file }: { file?: string }): Promise<void> {
  return runOnce(async (app, _config, signal) => {
    await refuseUnready(app);
    const { orm, encryption } = app.core;
    const source = addAbortSignal(signal, file === undefined ? process.stdin : createReadStream(file));
    console.log(await readShop({ em: orm.em, encryption }, operator, { source, onProgress: progress }));
  }, "secrets");
}
