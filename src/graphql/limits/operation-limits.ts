import type { ApolloServerPlugin } from "@apollo/server";
import { getVariableValues, GraphQLError, type GraphQLSchema } from "graphql";
import type { Admission } from "../../core/access/admission.ts";
import type { CoreContext } from "../../core/context.ts";
import { createMeasure, type Measures } from "./query-cost.ts";

/** The most that one request may ask for. docs/decisions/graphql.md says why. */
export const MAX_TOKENS = 1_000;
const MAX_DEPTH = 12;
const MAX_ALIASES = 30;
const MAX_DIRECTIVES = 50;
export const MAX_COST = 5_000;
const MAX_ROOT_FIELDS = { query: 20, mutation: 10, subscription: 1 };

/** The cost that counts as one request more of those that are under way: about that of a page of fifty records. */
const COST_OF_REQUEST = 250;

/**
 * Refuses operations that ask for too much, before anything is executed, counts costly ones as several requests, and
 * reports the cost of every one.
 */
export function limitOperations(schema: GraphQLSchema, admission: Admission): ApolloServerPlugin<CoreContext> {
  const measure = createMeasure(schema);
  return {
    requestDidStart: async () => {
      let requested: number | undefined;
      return {
        didResolveOperation: async ({ document, operation, request }) => {
          // Apollo asks too when no operation has the name, or several could be meant.
          if (!operation) return;
          const definitions = operation.variableDefinitions ?? [];
          const { coerced } = getVariableValues(schema, definitions, request.variables ?? {}, { maxErrors: 1 });
          // Variables that do not fit are refused as the first thing of the execution.
          if (!coerced) return;
          const measures = measure(document, operation, coerced);
          requested = measures.cost;
          refuseTooMuch(measures, MAX_ROOT_FIELDS[operation.operation]);
          await admission.begin(1 + Math.floor(measures.cost / COST_OF_REQUEST));
        },
        willSendResponse: async ({ response: { body } }) => {
          if (requested === undefined || body.kind !== "single") return;
          body.singleResult.extensions = { ...body.singleResult.extensions, cost: { requested, maximum: MAX_COST } };
        },
      };
    },
  };
}

/** @throws GraphQLError that names the first limit that is passed */
function refuseTooMuch(measures: Measures, maxRootFields: number): void {
  const { fields, depth, aliases, directives, cost } = measures;
  if (depth > MAX_DEPTH) refuse("TOO_DEEP", `Fields may be nested ${MAX_DEPTH} deep, not ${depth}`);
  if (aliases > MAX_ALIASES) refuse("TOO_MANY_ALIASES", `An operation may have ${MAX_ALIASES} aliases`);
  if (fields > maxRootFields) refuse("TOO_MANY_ROOT_FIELDS", `An operation may have ${maxRootFields} root fields`);
  if (directives > MAX_DIRECTIVES) {
    refuse("TOO_MANY_DIRECTIVES", `An operation may have ${MAX_DIRECTIVES} directives`);
  }
  if (cost > MAX_COST)
    refuse("TOO_COSTLY", `An operation may cost ${MAX_COST}, not ${cost}: ask for smaller pages, or for fewer fields`);
}

function refuse(code: string, message: string): never {
  throw new GraphQLError(message, { extensions: { code, http: { status: 400 } } });
}
