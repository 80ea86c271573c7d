import type { ApolloServerPlugin } from "@apollo/server";
import { getVariableValues, GraphQLError, type ASTNode, type GraphQLSchema } from "graphql";
import { COSTLY } from "../../platform/overload/permits.ts";
import type { GraphqlContext } from "../request-context.ts";
import { createMeasure, type Measures } from "./query-cost.ts";

/** Limits of one request, explained in docs/decisions/construction.md#graphql. */
export const MAX_TOKENS = 1_000;
const MAX_ALIASES = 30;
export const MAX_COST = 5_000;

/** Reports only the first mistake in variables: each contains the whole value, which may be as long as the body. */
const firstMistake = { maxErrors: 1, hideSuggestions: true };

/** The cost from which an operation takes the permits of a costly one: about two pages of fifty records. */
const COSTLY_FROM = 500;

/**
 * Refuses operations over the limits before they execute, makes costly ones take several permits, and reports every
 * operation's cost.
 */
export function limitOperations(schema: GraphQLSchema): ApolloServerPlugin<GraphqlContext> {
  const measure = createMeasure(schema);
  return {
    requestDidStart: async () => {
      let requested: number | undefined;
      return {
        didResolveOperation: async ({ document, operation, request, contextValue }) => {
          // Apollo also calls this when no operation matches the name, or several do.
          if (!operation) return;
          const definitions = operation.variableDefinitions ?? [];
          const { coerced, errors } = getVariableValues(schema, definitions, request.variables ?? {}, firstMistake);
          if (!coerced) refuse("BAD_USER_INPUT", errors![0]!.message, errors![0]!.nodes);
          const measures = measure(document, operation, coerced);
          requested = measures.cost;
          refuseTooMuch(measures);
          const { ticket, limit } = contextValue;
          if (measures.cost >= COSTLY_FROM) await ticket.takePermits(COSTLY);
          limit.concurrency = ticket.permits;
        },
        willSendResponse: async ({ response: { body } }) => {
          if (requested === undefined || body.kind !== "single") return;
          body.singleResult.extensions = { ...body.singleResult.extensions, cost: { requested, maximum: MAX_COST } };
        },
      };
    },
  };
}

/** @throws GraphQLError that names the first exceeded limit */
function refuseTooMuch({ aliases, cost }: Measures): void {
  if (aliases > MAX_ALIASES) refuse("TOO_MANY_ALIASES", `An operation can have at most ${MAX_ALIASES} aliases`);
  if (cost > MAX_COST)
    refuse(
      "TOO_COSTLY",
      `An operation can cost at most ${MAX_COST}, not ${cost}: request smaller pages or fewer fields`,
    );
}

function refuse(code: string, message: string, nodes?: readonly ASTNode[]): never {
  throw new GraphQLError(message, { nodes: nodes ?? null, extensions: { code, http: { status: 400 } } });
}
