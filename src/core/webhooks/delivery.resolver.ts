import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Info, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../context.ts";
import type { Page } from "../model/page.ts";
import { Permission } from "../model/permissions.ts";
import { selectionOf } from "../queries/selection.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { DeliveryAttempt } from "./deliveries/delivery-attempt.ts";
import { findDelivery, listDeliveries, ListDeliveriesArgs, type ShownDelivery } from "./deliveries/read-deliveries.ts";
import type { ListedWebhookEndpoint } from "./endpoints/read-webhook-endpoints.ts";
import { WebhookDelivery, WebhookDeliveryPage } from "./deliveries/webhook-delivery.ts";
import { DeletedWebhookEndpoint } from "../model/webhooks/deleted-endpoint.entity.ts";
import { WebhookEndpoint } from "../model/webhooks/webhook-endpoint.entity.ts";
import { loaderOf } from "../queries/loader-of.ts";
import {
  loadDeletedEndpoints,
  loadDeliveryAttempts,
  loadDeliveryEndpoints,
  type ShownAttempt,
} from "./deliveries/load-delivery-parts.ts";
import { ReadsShop, type ShopReader } from "../queries/shop-reader.ts";

@Resolver(() => Shop)
export class ShopDeliveriesResolver {
  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => WebhookDeliveryPage, {
    description: "Deliveries of the last 30 days and pending deliveries, newest first by default.",
  })
  webhookDeliveries(
    @ReadsShop() read: ShopReader,
    @Args(() => ListDeliveriesArgs) filter: ListDeliveriesArgs,
  ): Promise<Page<ShownDelivery>> {
    return read(listDeliveries, filter);
  }

  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => WebhookDelivery, {
    nullable: true,
    description: "The delivery with this ID. Null if it does not exist.",
  })
  webhookDelivery(
    @ReadsShop() read: ShopReader,
    @Arg("id", () => ID, { description: "The delivery." }) id: string,
  ): Promise<ShownDelivery | undefined> {
    return read(findDelivery, id);
  }
}

@Resolver(() => WebhookDelivery)
export class DeliveryResolver {
  @FieldResolver(() => WebhookEndpoint, { nullable: true, description: "The endpoint. Null if it was deleted." })
  endpoint(
    @Root() { shopId, endpointId }: WebhookDelivery,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ListedWebhookEndpoint | null> {
    return loaderOf(context, loadDeliveryEndpoints).load({ shopId, id: endpointId, fields: selectionOf(info).fields });
  }

  @FieldResolver(() => DeletedWebhookEndpoint, {
    nullable: true,
    description: "The endpoint, if it was deleted. Null otherwise.",
  })
  deletedEndpoint(
    @Root() { shopId, endpointId }: WebhookDelivery,
    @Ctx() context: CoreContext,
  ): Promise<DeletedWebhookEndpoint | null> {
    return loaderOf(context, loadDeletedEndpoints).load({ shopId, id: endpointId });
  }

  @FieldResolver(() => [DeliveryAttempt], {
    description: "The newest 50 attempts, oldest first, including attempts before a replay.",
  })
  attempts(
    @Root() { shopId, id }: WebhookDelivery,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ShownAttempt[]> {
    return loaderOf(context, loadDeliveryAttempts).load({ shopId, id, fields: selectionOf(info).fields });
  }
}
