import { invalidInput, AppError, type InputIssue } from "../model/errors.ts";
import { Field, ObjectType } from "type-graphql";

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
class OperationIssue {
  @Field(() => String, { description: "The path of the value in the input, with dots between names." })
  path!: string;

  @Field(() => String, { description: "A machine-readable code." })
  code!: string;

  @Field(() => String, { description: "A human-readable message." })
  message!: string;
}

@ObjectType({
  description: "The error of one item, the same as in a request with this item alone.",
  simpleResolvers: true,
})
export class OperationError {
  @Field(() => String, { description: "A machine-readable code, such as VALIDATION_FAILED or NOT_FOUND." })
  code!: string;

  @Field(() => String, { description: "A human-readable message." })
  message!: string;

  @Field(() => String, { nullable: true, description: "How to fix the error." })
  hint!: string | null;

  @Field(() => [OperationIssue], { description: "The problems with the input. Empty for other errors." })
  issues!: InputIssue[];
}

/** Converts an error to a part of the answer. Faults of the service are thrown. */
export function collectError(error: unknown): OperationError {
  if (!(error instanceof AppError)) throw error;
  const { code, message, hint = null, issues = [] } = error;
  return { code, message, hint, issues };
}
