import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Info, Int, Resolver, Root } from "type-graphql";
import { operationOf } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import { EmittingMutation } from "../schema/emitting-mutation.ts";
import { claimKey } from "../idempotency/claim-key.ts";
import { EXPECTED_VERSION, IDEMPOTENCY_KEY, ShopId } from "../schema/operation-arguments.ts";
import type { Page } from "../model/page.ts";
import { Permission } from "../model/permissions.ts";
import { selectionOf } from "../queries/selection.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { createProduct, type CreatedProduct, type CreateProductRequest } from "./create-product.ts";
import { deleteProduct } from "./edits/delete-product.ts";
import {
  findProduct,
  findVariant,
  readProduct,
  listProducts,
  ListProductsArgs,
  type ShownProduct,
  type ShownVariant,
} from "./read-products.ts";
import { Product, ProductPage, Variant } from "../model/products/product.entity.ts";
import { CreateProductInput, UpdateProductInput } from "./product.inputs.ts";
import { updateProduct, type UpdateProductRequest } from "./edits/update-product.ts";

@Resolver(() => Shop)
export class ShopProductsResolver {
  @Authorized(Permission.READ_PRODUCTS)
  @FieldResolver(() => ProductPage, { description: "The shop's products, newest first by default." })
  products(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => ListProductsArgs) filter: ListProductsArgs,
  ): Promise<Page<ShownProduct>> {
    return context.limit(listProducts, context.orm.em, shop.id, filter, selectionOf(info));
  }

  @Authorized(Permission.READ_PRODUCTS)
  @FieldResolver(() => Product, { nullable: true, description: "The product with this ID. Null if it does not exist." })
  product(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("id", () => ID, { description: "The product." }) id: string,
  ): Promise<ShownProduct | undefined> {
    return context.limit(findProduct, context.orm.em, shop.id, id, selectionOf(info));
  }

  @Authorized(Permission.READ_PRODUCTS)
  @FieldResolver(() => Variant, { nullable: true, description: "The variant with this ID. Null if it does not exist." })
  variant(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("id", () => ID, { description: "The variant." }) id: string,
  ): Promise<ShownVariant | undefined> {
    return context.limit(findVariant, context.orm.em, shop.id, id, selectionOf(info));
  }
}

@Resolver()
export class ProductMutations {
  @Authorized(Permission.WRITE_PRODUCTS)
  @EmittingMutation(() => Product, {
    description:
      "Creates a product with its variants. The handle is made from the title. Initial stock is recorded as a stock change with the reason INITIAL.",
    emits: ["product.created"],
  })
  createProduct(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @ShopId() shopId: string,
    @Arg("input", () => CreateProductInput, { description: "What to create." }) input: CreateProductInput,
    @Arg("idempotencyKey", () => String, IDEMPOTENCY_KEY) idempotencyKey?: string | null,
  ): Promise<CreatedProduct> {
    const operation = operationOf(context, shopId);
    const request: CreateProductRequest = { ...input };
    return createProduct(operation, request, claimKey(context, info, idempotencyKey));
  }

  @Authorized(Permission.WRITE_PRODUCTS)
  @EmittingMutation(() => Product, { description: "Updates a product.", emits: ["product.updated"] })
  async updateProduct(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The product." }) id: string,
    @Arg("input", () => UpdateProductInput, { description: "The changes. Omitted fields are left unchanged." })
    input: UpdateProductInput,
    @Arg("expectedVersion", () => Int, EXPECTED_VERSION) expectedVersion?: number | null,
  ): Promise<ShownProduct> {
    const operation = operationOf(context, shopId);
    const request = { ...input } as UpdateProductRequest;
    await updateProduct(operation, { id, request, expectedVersion });
    return readProduct(context.orm.em, shopId, id, info);
  }

  @Authorized(Permission.WRITE_PRODUCTS)
  @EmittingMutation(() => Boolean, {
    description:
      "Deletes a product and its variants. Orders and the stock history are kept. Returns false if the product does not exist.",
    emits: ["product.deleted"],
  })
  deleteProduct(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The product." }) id: string,
    @Arg("expectedVersion", () => Int, EXPECTED_VERSION) expectedVersion?: number | null,
  ): Promise<boolean> {
    const operation = operationOf(context, shopId);
    return deleteProduct(operation, id, expectedVersion);
  }
}
