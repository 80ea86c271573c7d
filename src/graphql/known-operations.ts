import { GraphQLError, type ValidationRule } from "graphql";

/** Refuses subscriptions, which the schema lacks. graphql-js 17 has this rule; 16 does not. */
export const refuseUnknownOperations: ValidationRule = (context) => ({
  OperationDefinition: (node) => {
    if (context.getSchema().getRootType(node.operation)) return;
    context.reportError(new GraphQLError(`The schema has no ${node.operation}s`, { nodes: node }));
  },
});
