import type { GraphQLResolveInfo } from "graphql";
import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  Int,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from "type-graphql";
import { ShopId } from "../../schema/operation-arguments.ts";
import { AppError } from "../../model/errors.ts";
import { operationOf } from "../../access/operation.ts";
import type { CoreContext } from "../../context.ts";
import { Permission } from "../../model/permissions.ts";
import { selectionOf, type Selection } from "../../queries/selection.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import { countFailedDeliveries, MAX_FAILED_COUNTED } from "../replays/count-failed-deliveries.ts";
import { findDelivery, type ShownDelivery } from "./find-delivery.ts";
import type { ListedWebhookEndpoint } from "../endpoints/read-webhook-endpoints.ts";
import { replayDelivery } from "../replays/replay-delivery.ts";
import { replayFailedDeliveries, type Replay } from "../replays/replay-failed-deliveries.ts";
import { MAX_REPLAYED } from "../replays/take-deliveries.sql.ts";
import { ReplayProgress } from "../replays/replay-progress.ts";
import { sendTestEvent } from "../events/send-test-event.ts";
import type { Topic } from "../../model/webhooks/topics.ts";
import { WebhookDelivery } from "./webhook-delivery.ts";
import { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";
import { loaderOf } from "../../queries/loader-of.ts";
import { loadReplayProgress } from "../replays/load-replay-progress.ts";

@ObjectType({ description: "The deliveries accepted for replay.", simpleResolvers: true })
class WebhookReplay implements Replay {
  @Field(() => Int, { description: `Deliveries that were taken, the oldest first: at most ${MAX_REPLAYED}.` })
  replayed!: number;

  @Field(() => Int, {
    description: `Failed deliveries since then that were not taken, counted to ${MAX_FAILED_COUNTED}. Replay again to take them.`,
  })
  remaining!: number;

  @Field(() => TimestampScalar, {
    nullable: true,
    description:
      "When the last of them is to be attempted, at 50 a second; null when none was taken. Later while the endpoint is paused or suspended.",
  })
  lastAt!: Date | null;
}

@Resolver(() => WebhookEndpoint)
export class WebhookEndpointReplayResolver {
  @FieldResolver(() => Int, {
    description: `The number of failed deliveries of events since a moment, including those missed while the endpoint was disabled: what replayFailedDeliveries would take. Test events are not counted. Counting stops at ${MAX_FAILED_COUNTED}.`,
  })
  failedDeliveryCount(
    @Root() { shopId, id }: ListedWebhookEndpoint,
    @Ctx() context: CoreContext,
    @Arg("since", () => TimestampScalar, {
      description: "The earliest event that counts. Events are kept for 30 days.",
    })
    since: Date,
  ): Promise<number> {
    return loaderOf(context, countFailedDeliveries).load({ shopId, id, since });
  }

  @FieldResolver(() => ReplayProgress, { nullable: true, description: "Null when nothing that is replayed waits." })
  replay(@Root() { shopId, id }: ListedWebhookEndpoint, @Ctx() context: CoreContext): Promise<ReplayProgress | null> {
    return loaderOf(context, loadReplayProgress).load({ shopId, id });
  }
}

@Resolver()
export class DeliveryMutations {
  @Authorized(Permission.SETTINGS)
  @Mutation(() => WebhookDelivery, {
    description:
      "Sends an endpoint an event with sample data and the header X-Webhook-Test, once, even when it is paused, suspended or disabled. Answers the delivery, which is PENDING: ask again for what came of it. A success enables an endpoint that was disabled; a failure does not count. At most 10 in a minute for an endpoint. Refused when the plan does not include webhooks.",
  })
  async sendTestEvent(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The webhook endpoint." }) id: string,
    @Arg("topic", () => String, {
      nullable: true,
      description:
        "Such as product.created, subscribed or not; the first that the endpoint subscribes to unless given.",
    })
    topic?: string | null,
  ): Promise<ShownDelivery> {
    const request = { topic: topic as Topic | null | undefined };
    const deliveryId = await sendTestEvent(operationOf(context, shopId), id, request);
    return show(context, shopId, deliveryId, selectionOf(info));
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => WebhookDelivery, {
    description:
      "Delivers once more, at once and with all attempts, what failed or succeeded: the same event, byte for byte. Does nothing when it is on its way. Refused while the endpoint is disabled, when it was deleted, or when the plan does not include webhooks.",
  })
  async replayDelivery(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The delivery." }) id: string,
  ): Promise<ShownDelivery> {
    await replayDelivery(operationOf(context, shopId), id);
    return show(context, shopId, id, selectionOf(info));
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => WebhookReplay, {
    description: `Replays failed deliveries of events since a moment, with all attempts: the oldest ${MAX_REPLAYED}, at 50 a second, after any replay still running. Refused while the endpoint is disabled, when it was deleted, or when the plan does not include webhooks.`,
  })
  replayFailedDeliveries(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("endpointId", () => ID, { description: "The webhook endpoint." }) endpointId: string,
    @Arg("since", () => TimestampScalar, { description: "The earliest event to replay." }) since: Date,
  ): Promise<WebhookReplay> {
    return replayFailedDeliveries(operationOf(context, shopId), { endpointId, since });
  }
}

/** The delivery as it is now. */
async function show(
  { database }: CoreContext,
  shopId: string,
  id: string,
  selection: Selection,
): Promise<ShownDelivery> {
  const delivery = await findDelivery(database, shopId, id, selection);
  if (!delivery) throw new AppError("NOT_FOUND", "Webhook delivery not found");
  return delivery;
}
