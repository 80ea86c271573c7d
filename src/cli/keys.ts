import { operator } from "../core/access/author.ts";
import { createApiKey } from "../core/credentials/api-keys/create-api-key.ts";
import type { Scope } from "../core/access/permissions.ts";
import { runOnce } from "./run-once.ts";

export interface KeyOptions {
  shop: string;
  name: string;
  /** As typed: the operation checks them. */
  scope: string[];
}

/** Prints the key's secret, which is not shown again. */
export function createKey({ shop, name, scope }: KeyOptions): Promise<void> {
  return runOnce(async ({ core }) => {
    const { secret } = await createApiKey(core.orm.em, shop, operator, { name, scopes: scope as Scope[] });
    console.log(secret);
  });
}
