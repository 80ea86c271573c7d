// Text, since Kysely has no operators for networks.
import type { Kysely } from "kysely";
import { Field, Int, ObjectType } from "type-graphql";
import { z } from "zod";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { describeChange, recordAudit } from "../../audit/record-audit.ts";
import type { ApiKey } from "../../model/credentials/api-key.entity.ts";
import { allowedAddresses } from "../../model/network.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import type { Database } from "../../model/tables.ts";
import { query } from "../../queries/database.ts";
import type { RowKey } from "../../queries/row-key.ts";
import { parseInput } from "../../validation/input.ts";
import { apiKeys } from "../credential-kind.ts";
import { lockCredential } from "../credentials.ts";

const schema = z.strictObject({ allowedAddresses });

/**
 * Sets the addresses from which a key may be used, within a second. An empty list allows any address.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND
 */
export async function setAllowedAddresses(
  operation: Operation<ShopKey>,
  id: string,
  request: z.input<typeof schema>,
): Promise<ApiKey> {
  const after = parseInput(schema, request);
  return inTransaction(operation, async (inside) => {
    const key = await lockCredential(inside.em, apiKeys, inside.shop.id, id);
    const target = { id: key.id, name: key.name };
    const before = { allowedAddresses: key.allowedAddresses };
    if (before.allowedAddresses.join() === after.allowedAddresses.join()) return key;
    Object.assign(key, after);
    const details = describeChange(before, after);
    await recordAudit(inside, { action: AuditAction.API_KEY_UPDATED, target, details });
    return key;
  });
}

@ObjectType({ description: "What a list of allowed addresses would have changed.", simpleResolvers: true })
export class AllowedAddressesRehearsal {
  @Field(() => Int, { description: "The logged requests of the key with a known address." })
  requests!: number;

  @Field(() => Int, { description: "Those that would have been refused." })
  refusedRequests!: number;

  @Field(() => [String], { description: "The addresses of these, the latest 10." })
  refusedAddresses!: string[];
}

const rehearse = {
  name: "rehearse allowed addresses",
  text: `
  select coalesce(sum(requests), 0)::int as requests,
    coalesce(sum(requests) filter (where is_refused), 0)::int as "refusedRequests",
    coalesce((array_agg(host(address) order by last_id desc) filter (where is_refused))[:10], '{}') as "refusedAddresses"
  from (
    select address, count(*) as requests, max(id) as last_id,
      cardinality($3::text[]) > 0 and not address <<= any($3::inet[]) as is_refused
    from api_requests where shop_id = $1 and api_key_id = $2 and address is not null
    group by address
  ) seen`,
};

/** Applies a list to the logged requests of a key. @throws AppError VALIDATION_FAILED */
export async function rehearseAllowedAddresses(
  database: Kysely<Database>,
  { shopId, id }: RowKey,
  request: z.input<typeof schema>,
): Promise<AllowedAddressesRehearsal> {
  const after = parseInput(schema, request);
  const [rehearsal] = await query<AllowedAddressesRehearsal>(database, rehearse, [shopId, id, after.allowedAddresses]);
  return rehearsal!;
}
