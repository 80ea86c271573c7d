import { inTransaction, type Operation } from "../../access/operation.ts";
import { attempt, requireItems, type Outcome } from "../../validation/bulk.ts";
import { recordProductUpdated, type ProductUpdate } from "./edit-product.ts";

/** The sentence on bulk changes in the descriptions of mutations. */
export const EACH_PRODUCT =
  "Each change has its own result, and a failed change does not stop the others. Changes to the same product are made together, in order, and emit one event. If the service fails, changes already made are kept.";

/** The result of a change, and the changed product. Null if nothing changed. */
export interface Changed<Value> {
  value: Value;
  update: ProductUpdate | null;
}

interface ProductChanges<Item, Value> {
  /** The argument with the items. */
  path: string;
  items: readonly Item[];
  productIdOf: (item: Item) => string;
  /** Makes one change in a savepoint. An error undoes only this change. */
  change: (inside: Operation, item: Item, index: number) => Promise<Changed<Value>>;
}

/**
 * Changes several products and returns the result of each. A failed change does not stop the others. Changes of the
 * same product share a transaction, in order, with one `product.updated`. An internal error undoes the changes of its
 * product and stops the rest; earlier changes of other products stay.
 *
 * @throws AppError VALIDATION_FAILED for the argument `path` when there are no items or too many
 */
export async function changeEachProduct<Item, Value>(
  operation: Operation,
  { path, items, productIdOf, change }: ProductChanges<Item, Value>,
): Promise<Outcome<Value>[]> {
  requireItems(path, items);
  const outcomes: Outcome<Value>[] = [];
  for (const group of Map.groupBy(items.entries(), ([, item]) => productIdOf(item)).values()) {
    await inTransaction(operation, async (inside) => {
      let update: ProductUpdate | null = null;
      for (const [index, item] of group) {
        const { value, error } = await attempt(() => inTransaction(inside, (own) => change(own, item, index)));
        // A failed change must not leave modified entities in this transaction.
        inside.em.clear();
        outcomes[index] = error ? { value, error } : { value: value.value, error };
        update = mergeUpdates(update, value?.update ?? null);
      }
      if (update) await recordProductUpdated(inside, update);
    });
  }
  return outcomes;
}

/** The later update, with the fields of both. */
function mergeUpdates(earlier: ProductUpdate | null, later: ProductUpdate | null): ProductUpdate | null {
  if (!earlier || !later) return later ?? earlier;
  return { ...later, changed: [...new Set([...earlier.changed, ...later.changed])] };
}
