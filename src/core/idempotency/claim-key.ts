import { responsePathAsArray, type GraphQLResolveInfo } from "graphql";
import { createParameterDecorator } from "type-graphql";
import type { CoreContext } from "../context.ts";
import { IDEMPOTENCY_KEY } from "../schema/operation-arguments.ts";
import type { IdempotencyClaim } from "./run-idempotent.ts";

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
