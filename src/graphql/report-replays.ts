import type { ApolloServerPlugin } from "@apollo/server";
import type { CoreContext } from "../core/context.ts";

/** Reports the paths of answers that were replayed for idempotency keys. */
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
