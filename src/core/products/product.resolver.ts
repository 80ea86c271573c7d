import type { GraphQLResolveInfo } from "graphql";
import {
  Arg,
  Args,
  ArgsType,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  InputType,
  Int,
  Mutation,
  Resolver,
  Root,
} from "type-graphql";
import type { CoreContext } from "../context.ts";
import { PageArgs } from "../pagination.ts";
import { Permission } from "../permissions.ts";
import { requestedPageFields } from "../read-page.ts";
import { requestedFields } from "../requested-fields.ts";
import { DecimalScalar } from "../scalars.ts";
import { Shop } from "../shops/shop.entity.ts";
import { createProduct, type CreatedProduct } from "./create-product.ts";
import { findProduct } from "./find-product.ts";
import { listProducts } from "./list-products.ts";
import { Product, ProductPage, ProductStatus } from "./product.entity.ts";

@InputType({ description: "A new product with one variant." })
class CreateProductInput {
  @Field(() => String, { description: "1 to 255 characters after trimming." })
  title!: string;

  @Field(() => ProductStatus, { defaultValue: ProductStatus.ACTIVE })
  status!: ProductStatus;

  @Field(() => DecimalScalar, { description: "0 to 99999999.99, with no more decimals than the shop's currency has." })
  price!: string;

  @Field(() => String, { defaultValue: "", description: "At most 64 characters." })
  sku!: string;

  @Field(() => Int, { defaultValue: 0, description: "0 to 1000000000 units." })
  inventoryQuantity!: number;
}

@ArgsType()
class ListProductsArgs extends PageArgs {
  @Field(() => String, {
    nullable: true,
    description: "Words that must all occur in the title, the handle, or a variant's sku or barcode.",
  })
  search?: string | null;

  @Field(() => ProductStatus, { nullable: true, description: "Only products of this status." })
  status?: ProductStatus | null;
}

@Resolver(() => Shop)
export class ShopProductsResolver {
  @Authorized(Permission.READ_PRODUCTS)
  @FieldResolver(() => ProductPage, { description: "Newest first." })
  products(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => ListProductsArgs) filter: ListProductsArgs,
  ): Promise<ProductPage> {
    const { page, item } = requestedPageFields(info);
    const fields = { page, product: item, variant: requestedFields(info, "items", "variants") };
    return listProducts(context.database, shop.id, filter, fields);
  }

  @Authorized(Permission.READ_PRODUCTS)
  @FieldResolver(() => Product, { nullable: true })
  product(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("id", () => ID) id: string,
  ): Promise<Product | undefined> {
    const fields = { product: requestedFields(info), variant: requestedFields(info, "variants") };
    return findProduct(context.database, shop.id, id, fields);
  }
}

@Resolver()
export class ProductResolver {
  @Authorized(Permission.WRITE_PRODUCTS)
  @Mutation(() => Product, { description: "Creates a product and emits product.created." })
  createProduct(
    @Ctx() context: CoreContext,
    @Arg("shopId", () => ID) shopId: string,
    @Arg("input", () => CreateProductInput) input: CreateProductInput,
    @Arg("idempotencyKey", () => String, {
      nullable: true,
      description: "For 24 hours, the same key and input get the first answer again instead of a second product.",
    })
    idempotencyKey?: string | null,
  ): Promise<CreatedProduct> {
    const { shop } = context.actor!.memberships.get(shopId)!;
    return createProduct(context.orm.em, shop, { ...input }, idempotencyKey ?? undefined);
  }
}
