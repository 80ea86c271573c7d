import { asOperator } from "../../core/access/operation.ts";
import { SCOPES } from "../../core/model/permissions.ts";
import type { ApiKey } from "../../core/model/credentials/api-key.entity.ts";
import { createApiKey } from "../../core/credentials/api-keys/api-keys.ts";
import { listKeysWithCreators } from "../../core/credentials/api-keys/list-keys-with-creators.ts";
import { apiKeys } from "../../core/credentials/credential-kind.ts";
import { revokeCredential } from "../../core/credentials/credentials.ts";
import { requireShop } from "../../core/shops/shops.ts";
import { requireChoices } from "../../platform/terminal.ts";
import { printRow, printRows, type OutputOptions } from "../output.ts";
import { runOnce } from "../open-app.ts";

export interface KeyOptions {
  shop: string;
  name: string;
  scope: string[];
}

/** Prints the key's secret, which is not shown again. */
export function createKey({ shop, name, scope }: KeyOptions): Promise<void> {
  return runOnce(async ({ core }) => {
    requireChoices("--scope", scope, SCOPES);
    const { secret } = await createApiKey(asOperator(core.orm.em, shop), { name, scopes: [...scope] });
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
