import { keyNameOf, type Encryption } from "../../platform/encryption.ts";
import { OperatorError } from "../../platform/errors.ts";
import { factorOwner } from "../staff/second-factor/totp.ts";
import { headersOwner } from "../webhooks/endpoints/endpoint-headers.ts";
import { secretOwner } from "../webhooks/endpoints/signing-secrets.ts";
import type { MovedTable } from "./moved-rows.sql.ts";
import { sealedColumns } from "./moved-tables.ts";
import type { Row } from "./row-schemas.ts";
import type { Header } from "./shop-file.ts";

type Owner = (shopId: string, row: Row) => string;

const endpointSecret: Owner = (shopId, { id }) => secretOwner({ shopId, id: String(id) });

/** The owner to which each encrypted column is bound. */
export const sealOwners: Record<string, Owner> = {
  "webhook_endpoints.sealed_secret": endpointSecret,
  "webhook_endpoints.sealed_old_secret": endpointSecret,
  "webhook_endpoints.sealed_headers": (shopId, { id }) => headersOwner({ shopId, id: String(id) }),
  "second_factors.sealed_secret": (_, { staff_id: id }) => factorOwner(String(id)),
};

/** @throws OperatorError when a row is encrypted with a key that is not configured */
export function requireKeys(
  table: MovedTable,
  rows: Row[],
  { header, encryption }: { header: Header; encryption: Encryption },
): void {
  for (const row of rows) {
    for (const column of sealedColumns(table)) {
      const sealed = row[column];
      if (sealed == null || isOver(column, row, header)) continue;
      requireKey(encryption, String(sealed), sealOwners[`${table.name}.${column}`]!(header.shopId, row));
    }
  }
}

/** Skips expired old secrets, which are no longer used. */
function isOver(column: string, { old_secret_expires_at: end }: Row, { exportedAt }: Header): boolean {
  return column === "sealed_old_secret" && new Date(String(end)) <= new Date(exportedAt);
}

function requireKey(encryption: Encryption, sealed: string, owner: string): void {
  const name = keyNameOf(sealed);
  if (!encryption.keyNames.includes(name)) {
    throw new OperatorError(`ENCRYPTION_KEYS lacks the key ${name}, which encrypts the secret of ${owner}`);
  }
  try {
    encryption.open(sealed, owner);
  } catch {
    throw new OperatorError(`The key ${name} in ENCRYPTION_KEYS is not the key that encrypted the secret of ${owner}`);
  }
}
