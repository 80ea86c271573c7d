import { z } from "zod";
import { newId } from "../../model/ids.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { parseInput } from "../../validation/input.ts";
import { Permission, type Caller } from "../../model/permissions.ts";
import { CredentialStatus, CREDENTIAL_IS_ACTIVE } from "../../model/credentials/credential.ts";
import { generateSecret, fingerprintOf, digestSecret, inspectSecret } from "../secret.ts";
import type { LastUsedWriter } from "../last-used-writer.sql.ts";
import type { UnknownCredentials } from "../unknown-credentials.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { credentialEnd, credentialName } from "../credentials.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { ServiceToken } from "../../model/credentials/service-token.entity.ts";
import { sql, type Kysely, type SqlBool } from "kysely";
import { kysely, prepared } from "../../queries/database.ts";
import type { CoreServices } from "../../context.ts";
import { unauthenticated } from "../../model/errors.ts";
import type { Database } from "../../model/tables.ts";
import { selectShop } from "../../model/shops/current-shop.ts";

const createServiceTokenSchema = (now: Date) =>
  z.strictObject({
    name: credentialName,
    permissions: z
      .array(z.enum(Permission))
      .min(1)
      .refine(
        (permissions) => !permissions.includes(Permission.SETTINGS),
        "Must not include SETTINGS, which would let a service give itself more permissions",
      ),
    expiresAt: credentialEnd(now),
  });

/** Creates a service token. Its secret is only in the result. @throws AppError VALIDATION_FAILED */
export async function createServiceToken(
  operation: Operation<ShopKey>,
  request: z.input<ReturnType<typeof createServiceTokenSchema>>,
): Promise<{ serviceToken: ServiceToken; secret: string }> {
  const { name, permissions, expiresAt } = parseInput(
    createServiceTokenSchema(await databaseTime(operation.em)),
    request,
  );
  const secret = generateSecret("svt_");
  return inTransaction(operation, async (inside) => {
    const { em, shop, actor } = inside;
    const serviceToken = em.create(ServiceToken, {
      shopId: shop.id,
      id: newId("svc"),
      name,
      ...fingerprintOf("svt_", secret),
      permissions: [...new Set(permissions)],
      createdBy: actor.id,
      createdAt: await databaseTime(em),
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
      status: CredentialStatus.ACTIVE,
    });
    em.persist(serviceToken);
    await recordAudit(inside, {
      action: AuditAction.SERVICE_TOKEN_CREATED,
      target: serviceToken,
      details: {
        permissions: serviceToken.permissions.join(", "),
        ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
      },
    });
    return { serviceToken, secret };
  });
}

export interface ServiceTokenServices {
  core: CoreServices;
  uses: LastUsedWriter;
  unknownCredentials: UnknownCredentials;
}

/** Finds the service of a token, and records its use. @throws AppError UNAUTHENTICATED */
export async function authenticateService(
  { core, uses, unknownCredentials }: ServiceTokenServices,
  token: string,
): Promise<Caller> {
  const state = inspectSecret("svt_", token);
  if (state === "mistyped") throw unauthenticated("The service token looks mistyped or cut short.");
  const found =
    state === "valid"
      ? await unknownCredentials.find(token, (shown) => findServiceCaller(kysely(core.orm.em), shown))
      : undefined;
  if (!found) throw unauthenticated();
  uses.record("service_tokens", found.shopId, found.caller.id);
  return found.caller;
}

/** Finds the service of a token. Undefined if the token is unknown, revoked or expired. */
async function findServiceCaller(
  database: Kysely<Database>,
  secret: string,
): Promise<{ caller: Caller; shopId: string } | undefined> {
  const [row] = await prepared(database, "find service token", { digest: digestSecret(secret) }, (given) =>
    database
      .selectFrom("service_tokens as token")
      .innerJoin("shops", "shops.id", "token.shop_id")
      .select(["token.id as tokenId", "token.name as tokenName", "permissions", ...selectShop])
      .where("digest", "=", given.digest)
      .where(sql.raw<SqlBool>(CREDENTIAL_IS_ACTIVE)),
  );
  if (!row) return undefined;
  const { tokenId, tokenName, permissions, ...shop } = row;
  const memberships = new Map([[shop.id, { shop, permissions: new Set(permissions) }]]);
  return { caller: { kind: "service", id: tokenId, name: tokenName, memberships }, shopId: shop.id };
}
