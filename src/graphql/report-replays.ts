import type { ApolloServerPlugin } from "@apollo/server";
import type { CoreContext } from "../core/context.ts";

/** Names the answers that idempotency keys replayed, by their paths, as errors name theirs. */
export function reportReplays(): ApolloServerPlugin<CoreContext> {
  return {
    requestDidStart: async ({ contextValue: { replays } }) => ({
      willSendResponse: async ({ response: { body } }) => {
        if (replays.length === 0 || body.kind !== "single") return;
        body.singleResult.extensions = { ...body.singleResult.extensions, idempotentReplays: replays };
      },
    }),
  };
}
