import { responsePathAsArray, type GraphQLResolveInfo } from "graphql";
import type { CoreContext } from "../context.ts";
import type { IdempotencyClaim } from "./run-idempotent.ts";

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
