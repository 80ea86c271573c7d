import type { GraphQLResolveInfo } from "graphql";
import { Arg, Authorized, Ctx, FieldResolver, ID, Info, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../context.ts";
import { Permission } from "../permissions.ts";
import { requestedFields } from "../requested-fields.ts";
import { Shop } from "../shops/shop.entity.ts";
import { DeliveryAttempt } from "./delivery-attempt.ts";
import { findDelivery } from "./find-delivery.ts";
import type { ListedWebhookEndpoint } from "./list-webhook-endpoints.ts";
import { WebhookDelivery } from "./webhook-delivery.ts";
import { WebhookEndpoint } from "./webhook-endpoint.entity.ts";

@Resolver(() => Shop)
export class ShopDeliveriesResolver {
  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => WebhookDelivery, { nullable: true, description: "Null when the shop has none by the id." })
  webhookDelivery(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("id", () => ID, { description: "The delivery." }) id: string,
  ): Promise<WebhookDelivery | undefined> {
    return findDelivery(context.database, shop.id, id, requestedFields(info));
  }
}

@Resolver(() => WebhookDelivery)
export class DeliveryResolver {
  @FieldResolver(() => WebhookEndpoint, { description: "Where it is sent." })
  endpoint(
    @Root() { shopId, endpointId }: WebhookDelivery,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ListedWebhookEndpoint> {
    return context.loaders.deliveryEndpoints.load({ shopId, id: endpointId, fields: requestedFields(info) });
  }

  @FieldResolver(() => [DeliveryAttempt], {
    description: "Oldest first; the newest 50 when there are more. Those before a replay are among them.",
  })
  attempts(
    @Root() { shopId, id }: WebhookDelivery,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<DeliveryAttempt[]> {
    return context.loaders.deliveryAttempts.load({ shopId, id, fields: requestedFields(info) });
  }
}
