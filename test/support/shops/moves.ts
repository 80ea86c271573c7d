import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { PassThrough, Readable } from "node:stream";
import { operator } from "../../../src/core/access/actor.ts";
import { exportShop } from "../../../src/core/moves/file/export-shop.ts";
import { importShop } from "../../../src/core/moves/file/import-shop.ts";
import { closeShop } from "../../../src/core/moves/close-shop.ts";
import { query } from "../database.ts";
import type { TestServer } from "../server.ts";

/** Closes a shop, long enough ago that no work is running. */
export async function closeLongAgo({ em, databaseUrl }: TestServer, { id }: { id: string }): Promise<void> {
  await closeShop({ em, shop: { id }, actor: operator });
  await query(databaseUrl, "update shops set closed_at = now() - interval '1 hour' where id = $1", [id]);
}

/** Exports a closed shop to a string. */
export async function exportText({ em, app }: TestServer, { id }: { id: string }): Promise<string> {
  const destination = new PassThrough();
  const [file] = await Promise.all([
    buffer(destination),
    exportShop({ em, shop: { id }, actor: operator }, { destination, encryption: app.core.encryption }),
  ]);
  return file.toString();
}

/** Imports a file in chunks. */
export function importText({ em, app }: TestServer, text: string, isTrusted = false): Promise<string> {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 1_000) }, (_, index) =>
    bytes.subarray(index * 1_000, (index + 1) * 1_000),
  );
  return importShop({ em, encryption: app.core.encryption }, operator, {
    source: Readable.from(pieces, { objectMode: false }),
    isTrusted,
  });
}

/** Changes the lines of a file, with a matching last line but for the seal, which only an installation can write. */
export function rewrite(file: string, change: (line: string) => string): string {
  const lines = file.trimEnd().split("\n");
  const { rows, seal } = JSON.parse(lines.pop()!);
  const text = lines.map((line) => `${change(line)}\n`).join("");
  return `${text}${JSON.stringify({ rows, sha256: createHash("sha256").update(text).digest("hex"), seal })}\n`;
}
