import { asOperator } from "../../core/access/operation.ts";
import { SCOPES, SCOPES_WITHOUT_ROUTE } from "../../core/model/permissions.ts";
import type { ApiKey } from "../../core/model/credentials/api-key.entity.ts";
import { createApiKey } from "../../core/credentials/api-keys/api-keys.ts";
import { listKeysWithCreators } from "../../core/credentials/api-keys/list-keys-with-creators.ts";
import { apiKeys } from "../../core/credentials/credential-kind.ts";
import { revokeCredential } from "../../core/credentials/credentials.ts";
import { requireShop } from "../../core/shops/shops.ts";
import { progress, requireChoices } from "../../platform/terminal.ts";
import { printRow, printRows, type OutputOptions } from "../output.ts";
import { runOnce } from "../open-app.ts";
import { readInstant } from "../read-instant.ts";

export interface KeyOptions {
  shop: string;
  name: string;
  scope: string[];
  expires?: string;
  allow?: string[];
}

/** Prints the key's secret, which is not shown again. */
export function createKey({ shop, name, scope, expires, allow }: KeyOptions): Promise<void> {
  const expiresAt = expires === undefined ? null : readInstant("--expires", expires);
  return runOnce(async ({ core }) => {
    requireChoices("--scope", scope, SCOPES);
    const input = { name, scopes: [...scope], expiresAt, allowedAddresses: allow };
    const { secret } = await createApiKey(asOperator(core.orm.em, shop), input);
    const unused = SCOPES_WITHOUT_ROUTE.filter((each) => scope.includes(each));
    if (unused.length > 0) progress(`No route requires ${unused.join(", ")} yet`);
    console.log(secret);
  });
}

/** Prints a shop's keys, including revoked and expired ones. */
export function listKeys({ shop, ...output }: OutputOptions & { shop: string }): Promise<void> {
  return runOnce(async ({ core: { orm } }) => {
    await requireShop(orm.em, shop);
    const keys = await listKeysWithCreators(orm.em, shop);
    const rows = keys.map((key) => {
      const { status, scopes, lastUsedAt, expiresAt, creator, createdAt } = key;
      const createdBy = creator ?? "OPERATOR";
      // Scopes are long, so they come last.
      return { ...namesOf(key), status, lastUsedAt, expiresAt, createdBy, createdAt, scopes };
    });
    printRows(rows, output);
  });
}

/** Revokes a key. */
export function revokeKey({ shop, key: id, ...output }: OutputOptions & { shop: string; key: string }): Promise<void> {
  return runOnce(async ({ core: { orm } }) => {
    const key = await revokeCredential(asOperator(orm.em, shop), apiKeys, id);
    printRow({ ...namesOf(key), status: key.status, revokedAt: key.revokedAt }, output);
  });
}

/** The fields by which people recognize a key. */
function namesOf({
  id,
  name,
  firstCharacters,
  lastCharacters,
}: Pick<ApiKey, "id" | "name" | "firstCharacters" | "lastCharacters">) {
  return { id, name, key: `${firstCharacters}…${lastCharacters}` };
}
