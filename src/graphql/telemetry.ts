import type { ApolloServerPlugin } from "@apollo/server";
import { Kind, type OperationDefinitionNode, type FieldNode, type SelectionSetNode } from "graphql";
import type { CoreContext } from "../core/context.ts";
import { MASKED } from "../platform/mask-secrets.ts";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import { addRequestFacts, requestFacts } from "../platform/telemetry/request-facts.ts";
import { activeSpan, failSpan } from "../platform/telemetry/tracing.ts";

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
          const { waited = 0 } = requestFacts() ?? {};
          durations.observe({ kind }, (performance.now() - startedAt - waited) / 1_000);
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

/**
 * Names a valid operation by its distinct root fields. A single field below `shop` is included, as in `shop.products`,
 * and fragments are `…`. The operation's own name is not used, because it may be any text.
 */
function operationFields({ selectionSet }: OperationDefinitionNode): string[] {
  return [...new Set(selected(selectionSet).map((field) => (field ? nameOf(field) : "…")))];
}

function nameOf({ name, selectionSet }: FieldNode): string {
  const [only, ...others] = name.value === "shop" ? selected(selectionSet) : [];
  return only && others.length === 0 ? `shop.${only.name.value}` : name.value;
}

/** The fields of a selection, undefined for fragments, and without `__typename`, which many clients add. */
function selected(selectionSet: SelectionSetNode | undefined): (FieldNode | undefined)[] {
  const selections = selectionSet?.selections.map((node) => (node.kind === Kind.FIELD ? node : undefined)) ?? [];
  return selections.filter((field) => field?.name.value !== "__typename");
}

/** The value in a message of graphql-js: a variable of the wrong type may be a password. Names of fields stay. */
const quotedValue = /(?<= got invalid value | value: | found ).*?(?=; Field "\w+" [^;]*$|$)/s;

/** The maximum number of fields and codes in a log line. */
const MAX_NAMED = 5;

/** Adds the operation's fields and its error codes to the facts of the request. */
export function addOperationFacts(): ApolloServerPlugin<CoreContext> {
  return {
    requestDidStart: async () => ({
      // Apollo also calls this when no operation matches the name, or several do.
      didResolveOperation: async ({ operation: resolved }) => {
        if (!resolved) return;
        const fields = operationFields(resolved).slice(0, MAX_NAMED);
        addRequestFacts({ operation: [resolved.operation, ...fields].join(" ") });
      },
      willSendResponse: async ({ response: { body } }) => {
        const errors = body.kind === "single" ? (body.singleResult.errors ?? []) : [];
        if (errors.length === 0) return;
        const codes = new Set(errors.map(({ extensions }) => String(extensions?.code)));
        const shown = errors.slice(0, MAX_NAMED).map(({ message, extensions }) => {
          return { error: message.replace(quotedValue, MASKED), details: extensions?.issues };
        });
        addRequestFacts({ errors: [...codes].slice(0, MAX_NAMED).join(" "), errorBody: JSON.stringify(shown) });
      },
    }),
  };
}
