import { Authorized, Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../../context.ts";
import { planLimits } from "../../access/permissions.ts";
import { Permission, type Scope } from "../../model/permissions.ts";
import { ApiScope } from "../../model/credentials/api-key.entity.ts";
import { countPlaces, listLivingKeys } from "./key-places.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";
import type { CurrentShop } from "../../model/shops/current-shop.ts";
import { Shop } from "../../model/shops/shop.entity.ts";

@ObjectType({ description: "Places that the shop's plan has, and those that are taken.", simpleResolvers: true })
class PlanLimit {
  @Field(() => Int, { description: "Places that are taken. More than there are after a change to a smaller plan." })
  used!: number;

  @Field(() => Int, { description: "Places that there are." })
  maximum!: number;
}

/** Limits of a shop's plan and their use. */
@Resolver(() => Shop)
export class ShopPlanResolver {
  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => PlanLimit, {
    description: "API keys that are alive. One that was rotated takes no place while its successor is alive.",
  })
  async apiKeyLimit(@Root() shop: CurrentShop, @Ctx() { orm, limit }: CoreContext): Promise<PlanLimit> {
    const keys = await limit(async () => listLivingKeys(orm.em, shop.id, await databaseTime(orm.em)));
    return { used: countPlaces(keys), maximum: planLimits(shop).apiKeys };
  }

  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => PlanLimit, { description: "Webhook endpoints, in whatever state." })
  async webhookEndpointLimit(@Root() shop: CurrentShop, @Ctx() { orm, limit }: CoreContext): Promise<PlanLimit> {
    const used = await limit(() => orm.em.fork().count(WebhookEndpoint, { shopId: shop.id }));
    return { used, maximum: planLimits(shop).webhookEndpoints };
  }

  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => [ApiScope], { description: "The scopes that new API keys may have under the shop's plan." })
  availableScopes(@Root() shop: CurrentShop): readonly Scope[] {
    return planLimits(shop).scopes;
  }
}
