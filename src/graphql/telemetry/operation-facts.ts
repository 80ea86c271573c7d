import type { ApolloServerPlugin } from "@apollo/server";
import type { CoreContext } from "../../core/context.ts";
import { addRequestFacts } from "../../platform/telemetry/request-facts.ts";
import { operationFields } from "./operation-fields.ts";

/** The most fields and codes that are named. */
const MOST_NAMED = 5;

/** Notes the fields that an operation asks for, and the codes of its errors, for the log of requests. */
export function addOperationFacts(): ApolloServerPlugin<CoreContext> {
  return {
    requestDidStart: async () => ({
      // Apollo asks too when no operation has the name, or several could be meant.
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
