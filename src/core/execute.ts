import { execute, validate, type DocumentNode, type GraphQLSchema } from "graphql";
import type { CoreContext } from "./context.ts";

/** Runs a GraphQL document in process. */
export type ExecuteDocument = (
  document: DocumentNode,
  variables: Record<string, unknown>,
  context: CoreContext,
) => Promise<Record<string, unknown>>;

/** @throws Error at boot when a fixed document does not fit the schema */
export function assertValid(schema: GraphQLSchema, document: DocumentNode): void {
  const errors = validate(schema, document);
  if (errors.length > 0) throw new Error(`Invalid document: ${errors.map((error) => error.message).join("; ")}`);
}

/** For documents that were validated at boot. Throws what the resolver threw, not a list of GraphQL errors. */
export function createExecutor(schema: GraphQLSchema): ExecuteDocument {
  return async (document, variableValues, contextValue) => {
    const { data, errors } = await execute({ schema, document, variableValues, contextValue });
    if (errors?.[0]) throw errors[0].originalError ?? errors[0];
    return data as Record<string, unknown>;
  };
}
