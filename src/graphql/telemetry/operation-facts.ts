import type { ApolloServerPlugin } from "@apollo/server";
import type { CoreContext } from "../../core/context.ts";
import { addRequestFacts } from "../../platform/telemetry/request-facts.ts";
import { operationFields } from "./operation-fields.ts";

/** The maximum number of fields and codes in a log line. */
const MOST_NAMED = 5;

/** Adds the operation's fields and its error codes to the facts of the request. */
export function addOperationFacts(): ApolloServerPlugin<CoreContext> {
  return {
    requestDidStart: async () => ({
      // Apollo also calls this when no operation matches the name, or several do.
      didResolveOperation: async ({ operation: resolved }) => {
        if (!resolved) return;
        const fields = operationFields(resolved).slice(0, MOST_NAMED);
        addRequestFacts({ operation: [resolved.operation, ...fields].join(" ") });
      },
      willSendResponse: async ({ response: { body } }) => {
        const errors = body.kind === "single" ? (body.singleResult.errors ?? []) : [];
        if (errors.length === 0) return;
        const codes = new Set(errors.map(({ extensions }) => String(extensions?.code)));
        addRequestFacts({ errors: [...codes].slice(0, MOST_NAMED).join(" ") });
      },
    }),
  };
}
