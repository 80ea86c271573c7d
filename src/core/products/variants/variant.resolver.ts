import { Arg, Authorized, Resolver } from "type-graphql";
import { ShopOperation, type AnsweredOperation } from "../../access/operation.ts";
import { EmittingMutation } from "../../mutations/emitting-mutation.ts";
import { Id, Changes, ExpectedVersion } from "../../mutations/operation-arguments.ts";
import { Permission } from "../../model/permissions.ts";
import { createVariant, deleteVariant, updateVariant } from "./variants.ts";
import { answerProduct, type ShownProduct } from "../read-products.ts";
import { Product } from "../../model/products/product.entity.ts";
import { NewVariantInput, UpdateVariantInput } from "../product.inputs.ts";

@Authorized(Permission.WRITE_PRODUCTS)
@Resolver()
export class VariantMutations {
  @EmittingMutation(() => Product, {
    description:
      "Adds a variant after the other variants of a product. Fails with INVALID_STATE if the product has no options, or has 100 variants.",
    emits: ["product.updated"],
  })
  async createVariant(
    @ShopOperation() operation: AnsweredOperation,
    @Id("product", "productId") productId: string,
    @Arg("input", () => NewVariantInput, { description: "What to create." }) input: NewVariantInput,
    @ExpectedVersion() expectedVersion?: number | null,
  ): Promise<ShownProduct> {
    await createVariant(operation, productId, { ...input }, { expectedVersion });
    return answerProduct(operation, productId);
  }

  @EmittingMutation(() => Product, {
    description: "Updates a variant. To change its stock, use setStock or adjustStock.",
    emits: ["product.updated"],
  })
  async updateVariant(
    @ShopOperation() operation: AnsweredOperation,
    @Id("variant") id: string,
    @Changes(() => UpdateVariantInput) input: UpdateVariantInput,
    @ExpectedVersion() expectedVersion?: number | null,
  ): Promise<ShownProduct> {
    const productId = await updateVariant(operation, id, { ...input }, expectedVersion);
    return answerProduct(operation, productId);
  }

  @EmittingMutation(() => Product, {
    description:
      "Deletes a variant. Orders and the stock history are kept. Fails with INVALID_STATE if it is the product's last variant.",
    emits: ["product.updated"],
  })
  async deleteVariant(
    @ShopOperation() operation: AnsweredOperation,
    @Id("variant") id: string,
    @ExpectedVersion() expectedVersion?: number | null,
  ): Promise<ShownProduct> {
    const productId = await deleteVariant(operation, id, expectedVersion);
    return answerProduct(operation, productId);
  }
}
