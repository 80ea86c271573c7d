import type { ApolloServerPlugin } from "@apollo/server";
import type { OperationDefinitionNode } from "graphql";
import type { CoreContext } from "../../core/context.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import { activeSpan, failSpan } from "../../platform/telemetry/tracing.ts";
import { operationFields } from "./operation-fields.ts";

const COSTS = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000];

/** Counts operations by their field and outcome, measures their time and cost, and names their spans. */
export function measureOperations(metrics: Metrics): ApolloServerPlugin<CoreContext> {
  const counts = metrics.counter("graphql_operations_total", "GraphQL operations, by outcome.", [
    "kind",
    "operation",
    "outcome",
  ]);
  const durations = metrics.histogram("graphql_operation_duration_seconds", "Duration of GraphQL operations.", [
    "kind",
  ]);
  const costs = metrics.histogram("graphql_operation_cost", "Cost of GraphQL operations.", ["kind"], COSTS);
  return {
    requestDidStart: async () => {
      const startedAt = performance.now();
      let [kind, operation] = ["unknown", "unknown"];
      return {
        didResolveOperation: async ({ operation: resolved }) => {
          if (!resolved) return;
          [kind, operation] = [resolved.operation, labelOf(resolved)];
          activeSpan()?.updateName(`${kind} ${operation}`).setAttribute("graphql.operation.type", kind);
        },
        willSendResponse: async ({ response: { body } }) => {
          if (body.kind !== "single") return;
          const { errors: [error] = [], extensions } = body.singleResult;
          const outcome = String(error?.extensions?.code ?? "OK");
          counts.inc({ kind, operation, outcome });
          if (error) failSpan(outcome);
          durations.observe({ kind }, (performance.now() - startedAt) / 1_000);
          const { requested } = (extensions?.cost ?? {}) as { requested?: number };
          if (requested !== undefined) costs.observe({ kind }, requested);
        },
      };
    },
  };
}

/** The operation's only field, otherwise `several`, which limits the number of labels. */
function labelOf(operation: OperationDefinitionNode): string {
  const [field, ...others] = operationFields(operation);
  return field === undefined || field === "…" || others.length > 0 ? "several" : field;
}
