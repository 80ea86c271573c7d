import { setTimeout as wait } from "node:timers/promises";
import type { UnusableKey } from "../core/secrets/find-unusable-keys.sql.ts";
import { isDatabaseUnavailable } from "../platform/errors.ts";
import { memoizeFor } from "../platform/memoize.ts";

/** The time for which a result is cached, and the time that a later check may delay a probe. Milliseconds. */
const CACHED = 10_000;
const PATIENCE = 1_000;

/**
 * Checks the encryption keys every ten seconds, because each check reads every endpoint and second factor.
 *
 * On a cluster, the check reads all nodes. A node that is down or does not answer stops the shops on it, and no others,
 * so the last result counts until the node is back.
 *
 * @throws errors other than an unavailable database
 */
export function createKeyCheck(find: () => Promise<UnusableKey[]>): () => Promise<UnusableKey[]> {
  let last: UnusableKey[] | undefined;
  const check = memoizeFor(CACHED, async () => {
    last = await find();
  });
  return async () => {
    const checked = check().catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error;
    });
    // The first check decides if the process may start.
    await (last ? Promise.race([checked, wait(PATIENCE, undefined, { ref: false })]) : checked);
    return (last ??= []);
  };
}
