import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A built file with its compressed variants. */
export interface BuiltFile {
  body: Buffer;
  brotli: Buffer | undefined;
  gzip: Buffer | undefined;
  etag: string;
}

/** Reads the built files of a directory, by their path in it. Returns none if it does not exist. */
export async function readFiles(directory: string): Promise<Map<string, BuiltFile>> {
  const files = new Map<string, BuiltFile>();
  for await (const path of glob("**/*.*", { cwd: directory })) {
    if (/\.(?:br|gz)$/.test(path)) continue;
    const file = join(directory, path);
    const body = await readFile(file);
    const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
    const [brotli, gzip] = await Promise.all([`${file}.br`, `${file}.gz`].map(readIfThere));
    files.set(path.replaceAll("\\", "/"), { body, brotli, gzip, etag });
  }
  return files;
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  return existsSync(file) ? readFile(file) : undefined;
}
