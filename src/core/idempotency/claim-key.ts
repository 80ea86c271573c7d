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
 * The claim on the caller's idempotency key. Undefined without one. A replay is added to the context by its path in the
 * answer: the field's, or that of a single item.
 */
export function claimKey(
  context: CoreContext,
  info: GraphQLResolveInfo,
  key: string | null | undefined,
  index?: number,
): IdempotencyClaim | undefined {
  if (key == null) return undefined;
  const path = [...responsePathAsArray(info.path), ...(index === undefined ? [] : [index])];
  return { callerId: context.actor!.id, key, onReplay: () => context.replays.push(path) };
}
