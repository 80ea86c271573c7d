import { Authorized, Ctx, Field, FieldResolver, InputType, Mutation, Query, Resolver, Root } from "type-graphql";
import { usualCashRounding } from "../../platform/currencies.ts";
import { inCurrency } from "../../platform/money.ts";
import { unauthenticated } from "../model/errors.ts";
import { ShopOperation, type Operation } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import { Permission } from "../model/permissions.ts";
import { DecimalScalar } from "../model/scalars.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { listCashRoundings } from "./read-cash-rounding.ts";
import { updateShop } from "./update-shop.ts";
import { Id, Changes } from "../mutations/operation-arguments.ts";

@InputType({ description: "Changes to a shop's settings. Omitted fields are left unchanged." })
class UpdateShopInput {
  @Field(() => String, { nullable: true, description: "1 to 255 characters after trimming, in one line." })
  name?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether the prices of variants include tax. Applies to new orders only.",
  })
  pricesIncludeTax?: boolean | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "The amount to whose multiples cash is rounded: one of `Shop.cashRoundings`. 0 to not round.",
  })
  cashRounding?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "The tax rate of lines that have neither a tax rate nor a tax amount: 0 to 100, with at most 4 decimals. Null to sell them without tax. Applies to new orders only.",
  })
  defaultTaxRate?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether to allow overselling, so that stock can become negative.",
  })
  allowsOverselling?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Whether to require two-factor authentication of owners, with immediate effect. Fails with SECOND_FACTOR_NOT_ENROLLED if you do not use it yourself.",
  })
  requiresSecondFactor?: boolean | null;
}

@Resolver(() => Shop)
export class ShopResolver {
  @Query(() => Shop, {
    nullable: true,
    description: "A shop that the caller has access to. Null for any other shop, whether it exists or not.",
  })
  shop(@Ctx() context: CoreContext, @Id("shop") id: string): Shop | undefined {
    if (!context.caller) throw unauthenticated();
    return context.caller.memberships.get(id)?.shop;
  }

  @FieldResolver(() => [DecimalScalar], {
    description: "The values that `cashRounding` can have in the shop's currency, in ascending order.",
  })
  cashRoundings(@Root() shop: Shop): string[] {
    return listCashRoundings(shop);
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: "The usual `cashRounding` in the shop's currency. Null if cash is usually exact.",
  })
  usualCashRounding(@Root() shop: Shop): string | null {
    const usual = usualCashRounding.get(shop.currency);
    return usual === undefined ? null : inCurrency(usual, shop);
  }
}

@Resolver()
export class ShopMutations {
  @Authorized(Permission.SETTINGS)
  @Mutation(() => Shop, { description: "Updates the shop's settings. Staff cannot change the plan or the currency." })
  async updateShop(
    @ShopOperation() operation: Operation,
    @Changes(() => UpdateShopInput) input: UpdateShopInput,
  ): Promise<Shop> {
    // Later fields of the same request use the new settings.
    return Object.assign(operation.shop, await updateShop(operation, { ...input }));
  }
}
