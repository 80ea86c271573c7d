import { inTransaction, type Operation } from "../../access/operation.ts";
import { attempt, checkCount, type Outcome } from "../../bulk/bulk.ts";
import { recordProductUpdated, type ProductUpdate } from "./product-update.ts";

/** The sentence on bulk changes in the descriptions of mutations. */
export const EACH_PRODUCT =
  "Each change has its own result, and a failed change does not stop the others. Changes to the same product are made together, in order, and emit one event. If the service fails, changes already made are kept.";

/** The answer to a change, and the product that it changed: null when it changed nothing. */
export interface Changed<Value> {
  value: Value;
  update: ProductUpdate | null;
}

interface ProductChanges<Item, Value> {
  /** The argument that holds the items. */
  path: string;
  items: readonly Item[];
  productIdOf: (item: Item) => string;
  /** Makes one change in a transaction of its own. What it throws undoes that change alone. */
  change: (inside: Operation, item: Item, index: number) => Promise<Changed<Value>>;
}

/**
 * Makes several changes of products and returns the result of each. A refused change stops no other. The changes of one
 * product are made in one transaction, in their order, with one `product.updated`. An internal error undoes the changes of
 * its product and stops the rest; earlier changes of other products stay.
 *
 * @throws AppError VALIDATION_FAILED for the argument `path` when there are no items or too many
 */
export async function changeEachProduct<Item, Value>(
  operation: Operation,
  { path, items, productIdOf, change }: ProductChanges<Item, Value>,
): Promise<Outcome<Value>[]> {
  checkCount(path, items);
  const outcomes: Outcome<Value>[] = [];
  for (const group of Map.groupBy(items.entries(), ([, item]) => productIdOf(item)).values()) {
    await inTransaction(operation, async (inside) => {
      let update: ProductUpdate | null = null;
      for (const [index, item] of group) {
        const { value, error } = await attempt(() => inTransaction(inside, (own) => change(own, item, index)));
        // A later change that is refused must leave nothing in entities that are written with this transaction.
        inside.em.clear();
        outcomes[index] = error ? { value, error } : { value: value.value, error };
        update = value?.update ?? update;
      }
      if (update) await recordProductUpdated(inside, update);
    });
  }
  return outcomes;
}
