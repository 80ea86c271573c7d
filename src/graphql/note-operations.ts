import type { ApolloServerPlugin } from "@apollo/server";
import { Kind, type OperationDefinitionNode } from "graphql";
import type { CoreContext } from "../core/context.ts";
import { noteFacts } from "../platform/fairness/visit.ts";

/** The most root fields that are named. */
const MOST_NAMED = 5;

/** Tells the log which operation was asked for, by its root fields, and the codes of what went wrong. */
export function noteOperations(): ApolloServerPlugin<CoreContext> {
  return {
    requestDidStart: async () => ({
      // Apollo asks too when no operation has the name, or several could be meant.
      didResolveOperation: async ({ operation }) => operation && noteFacts({ operation: nameOf(operation) }),
      willSendResponse: async ({ response: { body } }) => {
        const errors = body.kind === "single" ? (body.singleResult.errors ?? []) : [];
        if (errors.length === 0) return;
        const codes = new Set(errors.map(({ extensions }) => String(extensions?.code)));
        noteFacts({ errors: [...codes].slice(0, MOST_NAMED).join(" ") });
      },
    }),
  };
}

/** The kind and the root fields, which the schema has: a client's own names may be anything. */
function nameOf({ operation, selectionSet }: OperationDefinitionNode): string {
  const fields = selectionSet.selections.flatMap((node) => (node.kind === Kind.FIELD ? [node.name.value] : ["…"]));
  return [operation, ...new Set(fields.slice(0, MOST_NAMED))].join(" ");
}
