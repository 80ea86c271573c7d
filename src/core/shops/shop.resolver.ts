import { Arg, Authorized, Ctx, Field, ID, InputType, Mutation, Query, Resolver } from "type-graphql";
import { ShopId } from "../schema/operation-arguments.ts";
import { unauthenticated } from "../model/errors.ts";
import { operationOf } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import { Permission } from "../model/permissions.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { updateShop } from "./update-shop.ts";

@InputType({ description: "Changes to a shop's settings. Omitted fields stay as they are." })
class UpdateShopInput {
  @Field(() => String, { nullable: true, description: "1 to 255 characters after trimming." })
  name?: string | null;

  @Field(() => Boolean, { nullable: true, description: "True when a sale may take stock below zero." })
  allowsOverselling?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Whether owners need a second factor to do anything in the shop, at once. Whoever requires it needs one: refused " +
      "with SECOND_FACTOR_NOT_ENROLLED.",
  })
  requiresSecondFactor?: boolean | null;
}

@Resolver(() => Shop)
export class ShopResolver {
  @Query(() => Shop, {
    nullable: true,
    description: "A shop of the caller's. Null for any other, whether it exists or not.",
  })
  shop(@Ctx() context: CoreContext, @Arg("id", () => ID, { description: "The shop." }) id: string): Shop | undefined {
    if (!context.actor) throw unauthenticated();
    return context.actor.memberships.get(id)?.shop;
  }
}

@Resolver()
export class ShopMutations {
  @Authorized(Permission.SETTINGS)
  @Mutation(() => Shop, {
    description: "Changes the shop's settings. Its plan and currency are not the staff's to change.",
  })
  async updateShop(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("input", () => UpdateShopInput, { description: "The changes. Omitted fields stay as they are." })
    input: UpdateShopInput,
  ): Promise<Shop> {
    const operation = operationOf(context, shopId);
    // Later fields of the same request use the new settings.
    return Object.assign(operation.shop, await updateShop(operation, { ...input }));
  }
}
