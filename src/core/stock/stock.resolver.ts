import type { GraphQLResolveInfo } from "graphql";
import {
  Arg,
  Args,
  Authorized,
  Ctx,
  FieldResolver,
  ID,
  Info,
  InputType,
  Int,
  ObjectType,
  Resolver,
  type ClassType,
} from "type-graphql";
import { ShopOperation, type AnsweredOperation, type Operation } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import { EmittingMutation } from "../mutations/emitting-mutation.ts";
import { claimKey } from "../idempotency/run-idempotent.ts";
import { IDEMPOTENCY_KEY } from "../mutations/operation-arguments.ts";
import { OperationError } from "../validation/bulk.ts";
import { field, inputOf, nullable, objectOf } from "../model/fields.ts";
import type { Page } from "../model/page.ts";
import { Permission } from "../model/permissions.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { adjustStock, setStock, StockAdjustmentReason } from "./stock.ts";
import { EACH_PRODUCT, changeEachProduct, type Changed } from "../products/edits/change-each-product.ts";
import { findProductIds } from "../products/variants/variants.ts";
import { listLowStock, ListLowStockArgs, LowStockPage, type LowStock } from "./list-low-stock.ts";
import {
  listStockChanges,
  ListStockChangesArgs,
  type ShownStockChange,
  findStockChanges,
} from "./list-stock-changes.ts";
import { StockChange, StockChangePage } from "../model/products/stock-change.entity.ts";
import { ReadsShop, type ShopReader } from "../queries/selection.ts";

@InputType({ description: "The stock to set for a variant." })
class SetStockInput extends inputOf({
  variantId: field(ID, "The variant."),
  quantity: field(Int, "The number of units in stock, 0 to 1000000000."),
  expectedQuantity: nullable(
    Int,
    "The stock that you expect before the change. Fails with VERSION_CONFLICT if it is different.",
  ),
  reason: field(StockAdjustmentReason, "The reason for the change.", { defaultValue: StockAdjustmentReason.COUNTED }),
  note: nullable(String, "A note for the stock history. At most 500 characters."),
}) {}

@InputType({ description: "A relative change to the stock of a variant." })
class AdjustStockInput extends inputOf({
  variantId: field(ID, "The variant."),
  delta: field(Int, "The number of units to add. Negative to remove units. From -1000000000 to 1000000000, except 0."),
  reason: field(StockAdjustmentReason, "The reason for the change."),
  note: nullable(String, "A note for the stock history. At most 500 characters."),
  idempotencyKey: nullable(String, IDEMPOTENCY_KEY.description),
}) {}

@ObjectType({ description: "The result of one stock change.", simpleResolvers: true })
class StockChangeResult extends objectOf({
  variantId: field(ID, "The ID of the variant in the input."),
  change: nullable<ClassType<ShownStockChange>>(
    StockChange,
    "The change. Null if nothing changed or the change failed.",
  ),
  error: nullable(OperationError, "The error. Null on success."),
}) {}

@Authorized(Permission.READ_PRODUCTS)
@Resolver(() => Shop)
export class ShopStockResolver {
  @FieldResolver(() => StockChangePage, {
    description: "The stock history, newest first by default. Includes deleted products and variants.",
  })
  stockChanges(
    @ReadsShop() read: ShopReader,
    @Args(() => ListStockChangesArgs) filter: ListStockChangesArgs,
  ): Promise<Page<ShownStockChange>> {
    return read(listStockChanges, filter);
  }

  @FieldResolver(() => LowStockPage, {
    description: "Variants of active products with few units in stock, those with the fewest first by default.",
  })
  lowStock(
    @ReadsShop() read: ShopReader,
    @Args(() => ListLowStockArgs) filter: ListLowStockArgs,
  ): Promise<Page<Partial<LowStock>>> {
    return read(listLowStock, filter);
  }
}

@Authorized(Permission.WRITE_PRODUCTS)
@Resolver()
export class StockMutations {
  @EmittingMutation(() => [StockChangeResult], {
    description: `Sets the stock of variants. ${EACH_PRODUCT}`,
    emits: ["product.updated"],
  })
  async setStock(
    @ShopOperation() operation: AnsweredOperation,
    @Arg("changes", () => [SetStockInput], { description: "1 to 250 items." }) changes: SetStockInput[],
  ): Promise<StockChangeResult[]> {
    return changeEach(operation, changes, (inside, change) => setStock(inside, { ...change }));
  }

  @EmittingMutation(() => [StockChangeResult], {
    description: `Adds units to the stock of variants, or removes them. Fails with INSUFFICIENT_STOCK if stock would become negative, unless the shop allows overselling. ${EACH_PRODUCT}`,
    emits: ["product.updated"],
  })
  async adjustStock(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @ShopOperation() operation: AnsweredOperation,
    @Arg("changes", () => [AdjustStockInput], { description: "1 to 250 items." }) changes: AdjustStockInput[],
  ): Promise<StockChangeResult[]> {
    return changeEach(operation, changes, (inside, { idempotencyKey, ...change }, index) =>
      adjustStock(inside, change, claimKey(context, info, idempotencyKey, index)),
    );
  }
}

async function changeEach<Item extends { variantId: string }>(
  operation: AnsweredOperation,
  changes: readonly Item[],
  change: (inside: Operation, item: Item, index: number) => Promise<Changed<string | null>>,
): Promise<StockChangeResult[]> {
  const { em, shop, selection } = operation;
  const ids = changes.map(({ variantId }) => variantId);
  const productIds = await findProductIds(em, shop.id, ids);
  const productIdOf = ({ variantId }: Item) => productIds.get(variantId) ?? variantId;
  const outcomes = await changeEachProduct(operation, { path: "changes", items: changes, productIdOf, change });
  const made = outcomes.flatMap(({ value }) => value ?? []);
  const shown = selection.fields.has("change")
    ? await findStockChanges(em, shop.id, made, selection.at("change"))
    : new Map<string, ShownStockChange>();
  return outcomes.map(({ value, error }, index) => ({
    variantId: changes[index]!.variantId,
    change: shown.get(value ?? "") ?? null,
    error,
  }));
}
