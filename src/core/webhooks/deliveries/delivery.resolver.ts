import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, ArgsType, Authorized, Ctx, Field, FieldResolver, ID, Info, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../../context.ts";
import { PageArgs, type Page } from "../../model/page.ts";
import { Permission } from "../../model/permissions.ts";
import { selectionOf } from "../../queries/selection.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import { Shop } from "../../model/shops/shop.entity.ts";
import { DeliveryAttempt } from "./delivery-attempt.ts";
import { ErrorClass } from "../../model/webhooks/error-class.ts";
import { DeliveryStatus } from "../../model/webhooks/event.entity.ts";
import { findDelivery, type ShownDelivery } from "./find-delivery.ts";
import { listDeliveries, type ListDeliveriesFilter } from "./list-deliveries.ts";
import type { ListedWebhookEndpoint } from "../endpoints/read-webhook-endpoints.ts";
import { WebhookDelivery, WebhookDeliveryPage } from "./webhook-delivery.ts";
import { DeletedWebhookEndpoint } from "../../model/webhooks/deleted-endpoint.entity.ts";
import { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";
import { loaderOf } from "../../queries/loader-of.ts";
import {
  loadDeletedEndpoints,
  loadDeliveryAttempts,
  loadDeliveryEndpoints,
  type ShownAttempt,
} from "./load-delivery-parts.ts";

@ArgsType()
class ListDeliveriesArgs extends PageArgs implements ListDeliveriesFilter {
  @Field(() => ID, { nullable: true, description: "Only deliveries to this endpoint, which may have been deleted." })
  endpointId?: string | null;

  @Field(() => ID, { nullable: true, description: "Only deliveries of this event, one for each endpoint." })
  eventId?: string | null;

  @Field(() => String, { nullable: true, description: "Only deliveries of this topic, such as order.paid." })
  topic?: string | null;

  @Field(() => [DeliveryStatus], { nullable: true, description: "Only deliveries with these statuses. At least one." })
  statuses?: DeliveryStatus[] | null;

  @Field(() => ErrorClass, {
    nullable: true,
    description: "Only deliveries that last failed with this error class and have not succeeded since.",
  })
  errorClass?: ErrorClass | null;

  @Field(() => TimestampScalar, { nullable: true, description: "Only deliveries of events at or after this time." })
  createdSince?: Date | null;

  @Field(() => TimestampScalar, { nullable: true, description: "Only deliveries of events before this time." })
  createdBefore?: Date | null;
}

@Resolver(() => Shop)
export class ShopDeliveriesResolver {
  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => WebhookDeliveryPage, {
    description: "Deliveries of the last 30 days and pending deliveries, newest first by default.",
  })
  webhookDeliveries(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => ListDeliveriesArgs) filter: ListDeliveriesArgs,
  ): Promise<Page<ShownDelivery>> {
    return context.limit(listDeliveries, context.database, shop.id, filter, selectionOf(info));
  }

  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => WebhookDelivery, {
    nullable: true,
    description: "The delivery with this ID. Null if it does not exist.",
  })
  webhookDelivery(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("id", () => ID, { description: "The delivery." }) id: string,
  ): Promise<ShownDelivery | undefined> {
    return context.limit(findDelivery, context.database, shop.id, id, selectionOf(info));
  }
}

@Resolver(() => WebhookDelivery)
export class DeliveryResolver {
  @FieldResolver(() => WebhookEndpoint, {
    nullable: true,
    description: "The endpoint. Null if it was deleted.",
  })
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
