import { AppError, invalidInput } from "../model/errors.ts";
import { field, nullable, objectOf } from "../model/fields.ts";
import { ObjectType } from "type-graphql";

/** The maximum number of items in one mutation. */
const MAX_ITEMS = 250;

export type Outcome<Value> = { value: Value; error: null } | { value: null; error: OperationError };

/**
 * Does the work for each item in turn, and returns each result. A refused item does not stop the others. A fault of the
 * service does; earlier items stay done.
 *
 * @throws AppError VALIDATION_FAILED for the argument `path` when there are no items or too many
 */
export async function runBulk<Item, Value>(
  path: string,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Value>,
): Promise<Outcome<Value>[]> {
  requireItems(path, items);
  const outcomes: Outcome<Value>[] = [];
  for (const [index, item] of items.entries()) outcomes.push(await attempt(() => work(item, index)));
  return outcomes;
}

/** @throws AppError VALIDATION_FAILED for the argument `path` when there are no items or too many */
export function requireItems(path: string, items: readonly unknown[]): void {
  if (items.length === 0) throw invalidInput([{ path, code: "too_small", message: "Must have at least 1 item" }]);
  if (items.length > MAX_ITEMS) {
    throw invalidInput([{ path, code: "too_big", message: `Must have at most ${MAX_ITEMS} items` }]);
  }
}

/** Runs the work and returns its refusal, if any. Faults of the service are thrown. */
export async function attempt<Value>(work: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await work(), error: null };
  } catch (error) {
    return { value: null, error: collectError(error) };
  }
}

@ObjectType({ description: "A problem with an input.", simpleResolvers: true })
class OperationIssue extends objectOf({
  path: field(String, "The path of the value in the input, with dots between names."),
  code: field(String, "A machine-readable code."),
  message: field(String, "A human-readable message."),
}) {}

@ObjectType({
  description: "The error of one item, the same as in a request with this item alone.",
  simpleResolvers: true,
})
export class OperationError extends objectOf({
  code: field(String, "A machine-readable code, such as VALIDATION_FAILED or NOT_FOUND."),
  message: field(String, "A human-readable message."),
  hint: nullable(String, "How to fix the error."),
  issues: field([OperationIssue], "The problems with the input. Empty for other errors."),
}) {}

/** Converts an error to a part of the answer. Faults of the service are thrown. */
export function collectError(error: unknown): OperationError {
  if (!(error instanceof AppError)) throw error;
  const { code, message, hint = null, issues = [] } = error;
  return { code, message, hint, issues };
}
