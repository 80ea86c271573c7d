import type { GraphQLResolveInfo } from "graphql";
import { Arg, Authorized, Ctx, Field, ID, Info, ObjectType, Resolver } from "type-graphql";
import { ShopOperation, type Operation, type AnsweredOperation } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import { EmittingMutation } from "../mutations/emitting-mutation.ts";
import { claimKey } from "../idempotency/run-idempotent.ts";
import { OperationError, runBulk } from "../validation/bulk.ts";
import { field, nullable, objectOf } from "../model/fields.ts";
import { Permission } from "../model/permissions.ts";
import { EACH_PRODUCT, changeEachProduct } from "./edits/change-each-product.ts";
import { createProduct, type CreatedProduct } from "./create-product.ts";
import { deleteProduct } from "./edits/edit-product.ts";
import { findProducts, type ShownProduct } from "./read-products.ts";
import { Product } from "../model/products/product.entity.ts";
import { BulkCreateProductInput, BulkUpdateProductInput } from "./product.inputs.ts";
import { applyProductChange } from "./edits/update-product.ts";

@ObjectType({ description: "The result for one product.", simpleResolvers: true })
class ProductResult {
  @Field(() => Product, {
    nullable: true,
    description: "The product. Null if the change failed, or if the product was deleted right after.",
  })
  product!: ShownProduct | CreatedProduct | null;

  @Field(() => OperationError, { nullable: true, description: "The error. Null on success." })
  error!: OperationError | null;
}

@ObjectType({ description: "The result of deleting one product.", simpleResolvers: true })
class DeleteProductResult extends objectOf({
  id: field(ID, "The ID of the product."),
  deleted: field(Boolean, "Whether the product was deleted. False if it does not exist or the deletion failed."),
  error: nullable(OperationError, "The error. Null on success."),
}) {}

const EACH =
  "Items are processed in order, each with its own result. A failed item does not stop the others. If the service fails, items already processed are kept.";

@Authorized(Permission.WRITE_PRODUCTS)
@Resolver()
export class ProductBulkMutations {
  @EmittingMutation(() => [ProductResult], { description: `Creates products. ${EACH}`, emits: ["product.created"] })
  async createProducts(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @ShopOperation() operation: Operation,
    @Arg("inputs", () => [BulkCreateProductInput], { description: "1 to 250 items." }) inputs: BulkCreateProductInput[],
  ): Promise<ProductResult[]> {
    const outcomes = await runBulk("inputs", inputs, ({ idempotencyKey, ...input }, index) =>
      createProduct(operation, input, { claim: claimKey(context, info, idempotencyKey, index) }),
    );
    return outcomes.map(({ value, error }) => ({ product: value, error }));
  }

  @EmittingMutation(() => [ProductResult], {
    description: `Updates products. ${EACH_PRODUCT}`,
    emits: ["product.updated"],
  })
  async updateProducts(
    @Ctx() context: CoreContext,
    @ShopOperation() operation: AnsweredOperation,
    @Arg("inputs", () => [BulkUpdateProductInput], { description: "1 to 250 items." }) inputs: BulkUpdateProductInput[],
  ): Promise<ProductResult[]> {
    const outcomes = await changeEachProduct(operation, {
      path: "inputs",
      items: inputs,
      productIdOf: ({ id }) => id,
      change: async (inside, { id, expectedVersion, ...request }) => {
        return { value: id, update: await applyProductChange(inside, { id, request, expectedVersion }) };
      },
    });
    const ids = outcomes.flatMap(({ value }) => value ?? []);
    const products = await findProducts(operation.em, operation.shop.id, ids, operation.selection.at("product"));
    return outcomes.map(({ value, error }) => ({
      product: value === null ? null : (products.get(value) ?? null),
      error,
    }));
  }

  @EmittingMutation(() => [DeleteProductResult], {
    description: `Deletes products and their variants, regardless of their version. ${EACH}`,
    emits: ["product.deleted"],
  })
  async deleteProducts(
    @ShopOperation() operation: Operation,
    @Arg("ids", () => [ID], { description: "1 to 250 items." }) ids: string[],
  ): Promise<DeleteProductResult[]> {
    const outcomes = await runBulk("ids", ids, (id) => deleteProduct(operation, id));
    return outcomes.map(({ value, error }, index) => ({ id: ids[index]!, deleted: value ?? false, error }));
  }
}
