import { GraphQLError, type ValidationRule } from "graphql";

/** Refuses subscriptions, of which the schema has none. graphql-js 17 has the same rule, and 16 looks no further. */
export const refuseUnknownOperations: ValidationRule = (context) => ({
  OperationDefinition: (node) => {
    if (context.getSchema().getRootType(node.operation)) return;
    context.reportError(new GraphQLError(`The schema has no ${node.operation}s`, { nodes: node }));
  },
});
