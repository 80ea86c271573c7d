import { Authorized, Ctx, FieldResolver, InputType, Mutation, Query, Resolver, Root } from "type-graphql";
import { usualCashRounding } from "../../platform/currencies.ts";
import { inCurrency } from "../../platform/money.ts";
import { unauthenticated } from "../model/errors.ts";
import { ShopOperation, type Operation } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import { changesOf } from "../model/editable.ts";
import { Permission } from "../model/permissions.ts";
import { DecimalScalar } from "../model/scalars.ts";
import { Shop, shopSettings } from "../model/shops/shop.entity.ts";
import { listCashRoundings } from "./read-cash-rounding.ts";
import { updateShop } from "./update-shop.ts";
import { Id, Changes } from "../mutations/operation-arguments.ts";

@InputType({ description: "Changes to a shop's settings. Omitted fields are left unchanged." })
class UpdateShopInput extends changesOf(shopSettings) {}

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
