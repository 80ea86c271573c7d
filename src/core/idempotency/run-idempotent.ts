import { createHash } from "node:crypto";
import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type SqlBool } from "kysely";
import { z } from "zod";
import { AppError, invalidInput } from "../model/errors.ts";
import { kysely } from "../queries/database.ts";
import { text } from "../model/text.ts";
import { parseInput } from "../validation/input.ts";
import { responsePathAsArray, type GraphQLResolveInfo } from "graphql";
import { createParameterDecorator } from "type-graphql";
import type { CoreContext } from "../context.ts";
import { IDEMPOTENCY_KEY } from "../mutations/operation-arguments.ts";

/** SQL: how long a key is used. */
export const KEY_LIFETIME = "interval '24 hours'";
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

const keySchema = z.strictObject({ idempotencyKey: text({ min: 1, max: MAX_IDEMPOTENCY_KEY_LENGTH }) });

/** A caller's idempotency key. Other callers may use the same key. */
export interface IdempotencyClaim {
  callerId: string;
  /** Chosen by the client, and the same for each retry of a request. */
  key: string;
  /** Called when an earlier answer is replayed. */
  onReplay: () => void;
}

export interface OnceRequest {
  shopId: string;
  /** Without a claim, the work runs directly. */
  claim: IdempotencyClaim | undefined;
  operation: string;
  input: unknown;
}

/**
 * Runs the work at most once in 24 hours for a caller's key, inside the given transaction: the result commits with the
 * changes. A second call waits for the first and gets its result, as JSON.
 *
 * @throws AppError VALIDATION_FAILED when the key was used for another operation or input
 */
export async function runIdempotent<Result>(
  em: EntityManager,
  request: OnceRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  const { shopId, claim } = request;
  if (claim === undefined) return work();
  const { callerId } = claim;
  const { idempotencyKey: key } = parseInput(keySchema, { idempotencyKey: claim.key });
  // Two spellings of a letter, composed and decomposed, are the same input.
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([request.operation, request.input]).normalize())
    .digest();
  // Bypasses the entity manager, which would store a null result as SQL NULL and a text as JSON.
  const database = kysely(em);
  const claimed = await database
    .insertInto("idempotency_keys")
    .values({ shop_id: shopId, caller_id: callerId, key, fingerprint, result: "null", created_at: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict
        .columns(["shop_id", "caller_id", "key"])
        .doUpdateSet({ fingerprint, result: "null", created_at: sql<Date>`excluded.created_at` })
        // In UTC, in which every day has 24 hours: Citus takes no expression here that depends on the time zone.
        .where(sql<SqlBool>`idempotency_keys.created_at at time zone 'UTC'
          < excluded.created_at at time zone 'UTC' - ${sql.raw(KEY_LIFETIME)}`),
    )
    .returning("key")
    .executeTakeFirst()
    .catch((error: unknown) => {
      throw isLockTimeout(error) ? inProgress(error) : error;
    });
  if (claimed) {
    const result = await work();
    await database
      .updateTable("idempotency_keys")
      .set({ result: JSON.stringify(result) })
      .where("shop_id", "=", shopId)
      .where("caller_id", "=", callerId)
      .where("key", "=", key)
      .execute();
    return result;
  }
  const first = await database
    .selectFrom("idempotency_keys")
    .select(["fingerprint", "result"])
    .where("shop_id", "=", shopId)
    .where("caller_id", "=", callerId)
    .where("key", "=", key)
    .executeTakeFirstOrThrow();
  if (!fingerprint.equals(first.fingerprint)) {
    const message = "The Idempotency-Key was already used for a different request";
    throw invalidInput([{ path: "", code: "idempotency_key_reused", message }]);
  }
  claim.onReplay();
  return first.result as Result;
}

const LOCK_NOT_AVAILABLE = "55P03";

function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE;
}

function inProgress(cause: unknown): AppError {
  return new AppError("CONFLICT", "A request with this Idempotency-Key is still being processed", { cause });
}

/** The claim of a mutation on the key in its argument `idempotencyKey`. */
export const Claim = () =>
  createParameterDecorator<CoreContext>(({ context, info, args }) => claimKey(context, info, args.idempotencyKey), {
    arg: { name: "idempotencyKey", typeFunc: () => String, options: IDEMPOTENCY_KEY },
  });

/**
 * The caller's claim on an idempotency key. Undefined without a key. A replay is reported by its path in the answer:
 * that of the field or of a single item.
 */
export function claimKey(
  context: CoreContext,
  info: GraphQLResolveInfo,
  key: string | null | undefined,
  index?: number,
): IdempotencyClaim | undefined {
  if (key == null) return undefined;
  const path = [...responsePathAsArray(info.path), ...(index === undefined ? [] : [index])];
  return { callerId: context.caller!.id, key, onReplay: () => context.replays.push(path) };
}
