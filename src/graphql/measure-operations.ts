import type { ApolloServerPlugin } from "@apollo/server";
import { Kind, type OperationDefinitionNode, type SelectionSetNode } from "graphql";
import type { CoreContext } from "../core/context.ts";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import { activeSpan, failSpan } from "../platform/telemetry/tracing.ts";

const COSTS = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000];

/**
 * Counts operations by the fields that they ask for, with what came of them, measures their time and cost, and gives
 * their spans a name.
 */
export function measureOperations(metrics: Metrics): ApolloServerPlugin<CoreContext> {
  const counts = metrics.counter("graphql_operations_total", "GraphQL operations, with what came of them.", [
    "kind",
    "operation",
    "outcome",
  ]);
  const durations = metrics.histogram("graphql_operation_duration_seconds", "Time of GraphQL operations.", ["kind"]);
  const costs = metrics.histogram("graphql_operation_cost", "Cost of GraphQL operations.", ["kind"], COSTS);
  return {
    requestDidStart: async () => {
      const startedAt = performance.now();
      let [kind, operation] = ["unknown", "unknown"];
      return {
        didResolveOperation: async ({ operation: resolved }) => {
          if (!resolved) return;
          [kind, operation] = [resolved.operation, classOf(resolved)];
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

/**
 * Names a valid operation by its field and, where that is a shop, the one field below, as in `shop.products`. The
 * name that its author gave it may be any text.
 */
export function classOf({ selectionSet }: OperationDefinitionNode): string {
  const field = onlyField(selectionSet);
  if (!field) return "several";
  const below = field.name.value === "shop" ? onlyField(field.selectionSet) : undefined;
  return below ? `shop.${below.name.value}` : field.name.value;
}

/** The field of a selection of one field, besides the name of the type that many clients add. */
function onlyField(selectionSet: SelectionSetNode | undefined) {
  const selections = selectionSet?.selections ?? [];
  const asked = selections.filter((node) => node.kind !== Kind.FIELD || node.name.value !== "__typename");
  const [first] = asked;
  return asked.length === 1 && first!.kind === Kind.FIELD ? first : undefined;
}
