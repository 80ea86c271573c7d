import { readFile, stat } from "node:fs/promises";

/** Watches a log of PostgreSQL. The returned function reads why the server ended since, if the log says so. */
export async function watchServerLog(file: string): Promise<() => Promise<string | undefined>> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  return async () => {
    const log = await readFile(file).catch(() => Buffer.alloc(0));
    return faultIn(log.subarray(size).toString());
  };
}

/** The first fatal error, and its details. */
function faultIn(log: string): string | undefined {
  const [, error, detail] = /(?:FATAL|PANIC): +(.+)(?:\n.*DETAIL: +(.+))?/.exec(log) ?? [];
  return detail === undefined ? error : `${error}. ${detail}`;
}
