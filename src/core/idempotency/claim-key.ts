import { responsePathAsArray, type GraphQLResolveInfo } from "graphql";
import type { CoreContext } from "../context.ts";
import type { IdempotencyClaim } from "./run-idempotent.ts";

/**
 * The claim on a key that the caller gave; undefined without one. A replay is noted in the context by its place in the
 * response: the field's, or, for one item of several, the item's.
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
