import { Arg, Args, Authorized, FieldResolver, Resolver } from "type-graphql";
import { ShopOperation, type Operation, type AnsweredOperation } from "../access/operation.ts";
import { EmittingMutation } from "../mutations/emitting-mutation.ts";
import { Claim, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";
import { Id, Changes, ExpectedVersion } from "../mutations/operation-arguments.ts";
import type { Page } from "../model/page.ts";
import { Permission } from "../model/permissions.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { createProduct, type CreatedProduct } from "./create-product.ts";
import { deleteProduct } from "./edits/edit-product.ts";
import { findVariantsByCode, VariantByCodeArgs, VariantMatch } from "./find-by-code.ts";
import {
  findProduct,
  findVariant,
  listProducts,
  ListProductsArgs,
  answerProduct,
  type ShownProduct,
  type ShownVariant,
} from "./read-products.ts";
import { Product, ProductPage, Variant } from "../model/products/product.entity.ts";
import { CreateProductInput, UpdateProductInput } from "./product.inputs.ts";
import { updateProduct } from "./edits/update-product.ts";
import { ReadsShop, type ShopReader } from "../queries/selection.ts";

@Authorized(Permission.READ_PRODUCTS)
@Resolver(() => Shop)
export class ShopProductsResolver {
  @FieldResolver(() => ProductPage, { description: "The shop's products, newest first by default." })
  products(
    @ReadsShop() read: ShopReader,
    @Args(() => ListProductsArgs) filter: ListProductsArgs,
  ): Promise<Page<ShownProduct>> {
    return read(listProducts, filter);
  }

  @FieldResolver(() => Product, { nullable: true, description: "The product with this ID. Null if it does not exist." })
  product(@ReadsShop() read: ShopReader, @Id("product") id: string): Promise<ShownProduct | undefined> {
    return read(findProduct, id);
  }

  @FieldResolver(() => Variant, { nullable: true, description: "The variant with this ID. Null if it does not exist." })
  variant(@ReadsShop() read: ShopReader, @Id("variant") id: string): Promise<ShownVariant | undefined> {
    return read(findVariant, id);
  }

  @FieldResolver(() => [VariantMatch], {
    description:
      "The variants whose SKU or barcode is this code, for scanners. Ignores case, spaces, punctuation and leading zeros, so that a UPC-A equals its EAN-13. At most 10, those with exactly this code first.",
  })
  variantByCode(
    @ReadsShop() read: ShopReader,
    @Args(() => VariantByCodeArgs) scanned: VariantByCodeArgs,
  ): Promise<VariantMatch[]> {
    return read(findVariantsByCode, scanned);
  }
}

@Authorized(Permission.WRITE_PRODUCTS)
@Resolver()
export class ProductMutations {
  @EmittingMutation(() => Product, {
    description:
      "Creates a product with its variants. The handle is made from the title. Initial stock is recorded as a stock change with the reason INITIAL.",
    emits: ["product.created"],
  })
  createProduct(
    @ShopOperation() operation: Operation,
    @Arg("input", () => CreateProductInput, { description: "What to create." }) input: CreateProductInput,
    @Claim() claim?: IdempotencyClaim,
  ): Promise<CreatedProduct> {
    return createProduct(operation, { ...input }, { claim });
  }

  @EmittingMutation(() => Product, { description: "Updates a product.", emits: ["product.updated"] })
  async updateProduct(
    @ShopOperation() operation: AnsweredOperation,
    @Id("product") id: string,
    @Changes(() => UpdateProductInput) input: UpdateProductInput,
    @ExpectedVersion() expectedVersion?: number | null,
  ): Promise<ShownProduct> {
    await updateProduct(operation, { id, request: { ...input }, expectedVersion });
    return answerProduct(operation, id);
  }

  @EmittingMutation(() => Boolean, {
    description:
      "Deletes a product and its variants. Orders and the stock history are kept. Returns false if the product does not exist.",
    emits: ["product.deleted"],
  })
  deleteProduct(
    @ShopOperation() operation: Operation,
    @Id("product") id: string,
    @ExpectedVersion() expectedVersion?: number | null,
  ): Promise<boolean> {
    return deleteProduct(operation, id, expectedVersion);
  }
}
