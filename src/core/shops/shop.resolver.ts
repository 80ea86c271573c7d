import { Arg, Ctx, ID, Query, Resolver } from "type-graphql";
import { AppError } from "../../platform/errors.ts";
import type { CoreContext } from "../context.ts";
import { Shop } from "./shop.entity.ts";

@Resolver()
export class ShopResolver {
  @Query(() => Shop, {
    nullable: true,
    description: "A shop of the caller's. Null for any other, whether it exists or not.",
  })
  shop(@Ctx() context: CoreContext, @Arg("id", () => ID, { description: "The shop." }) id: string): Shop | undefined {
    if (!context.actor) throw new AppError("UNAUTHENTICATED", "Unauthorized");
    return context.actor.memberships.get(id)?.shop;
  }
}
