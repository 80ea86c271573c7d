import { Authorized, Ctx, FieldResolver, Int, ObjectType, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../../context.ts";
import { planLimits } from "../../access/permissions.ts";
import { field, objectOf } from "../../model/fields.ts";
import { Permission, type Scope } from "../../model/permissions.ts";
import { ApiScope } from "../../model/credentials/api-key.entity.ts";
import { countPlaces, listLivingKeys } from "./key-places.ts";
import { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";
import type { CurrentShop } from "../../model/shops/current-shop.ts";
import { Shop } from "../../model/shops/shop.entity.ts";

@ObjectType({ description: "A limit of the shop's plan, and how much of it is used.", simpleResolvers: true })
class PlanLimit extends objectOf({
  used: field(Int, "The number used. Can exceed the limit after a change to a smaller plan."),
  maximum: field(Int, "The limit."),
}) {}

/** Limits of a shop's plan and their use. */
@Authorized(Permission.SETTINGS)
@Resolver(() => Shop)
export class ShopPlanResolver {
  @FieldResolver(() => PlanLimit, {
    description: "The limit on active API keys. A rotated key does not count while its successor is active.",
  })
  async apiKeyLimit(@Root() shop: CurrentShop, @Ctx() { orm, limit }: CoreContext): Promise<PlanLimit> {
    const keys = await limit(listLivingKeys, orm.em, shop.id);
    return { used: countPlaces(keys), maximum: planLimits(shop).apiKeys };
  }

  @FieldResolver(() => PlanLimit, { description: "The limit on webhook endpoints, in any status." })
  async webhookEndpointLimit(@Root() shop: CurrentShop, @Ctx() { orm, limit }: CoreContext): Promise<PlanLimit> {
    const used = await limit(() => orm.em.fork().count(WebhookEndpoint, { shopId: shop.id }));
    return { used, maximum: planLimits(shop).webhookEndpoints };
  }

  @FieldResolver(() => [ApiScope], { description: "The scopes that the shop's plan includes for new API keys." })
  availableScopes(@Root() shop: CurrentShop): readonly Scope[] {
    return planLimits(shop).scopes;
  }
}
