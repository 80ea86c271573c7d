import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from "type-graphql";
import { ShopOperation, type Operation } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import { Permission } from "../model/permissions.ts";
import { Selected, type Selection } from "../queries/selection.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { countFailedDeliveries, MAX_FAILED_COUNTED } from "./replays/count-failed-deliveries.ts";
import { answerDelivery, type ShownDelivery } from "./deliveries/read-deliveries.ts";
import type { ListedWebhookEndpoint } from "./endpoints/read-webhook-endpoints.ts";
import { replayDelivery } from "./replays/replay-delivery.ts";
import { replayFailedDeliveries, type Replay } from "./replays/replay-failed-deliveries.ts";
import { MAX_REPLAYED } from "./replays/take-deliveries.sql.ts";
import { ReplayProgress } from "./replays/replay-progress.ts";
import { sendTestEvent } from "./events/send-test-event.ts";
import type { Topic } from "../model/webhooks/topics.ts";
import { WebhookDelivery } from "./deliveries/webhook-delivery.ts";
import { WebhookEndpoint } from "../model/webhooks/webhook-endpoint.entity.ts";
import { loaderOf } from "../queries/loader-of.ts";
import { loadReplayProgress } from "./replays/load-replay-progress.ts";
import type { CurrentShop } from "../model/shops/current-shop.ts";

@ObjectType({ description: "The deliveries accepted for replay.", simpleResolvers: true })
class WebhookReplay implements Replay {
  @Field(() => Int, {
    description: `The number of deliveries accepted, at most ${MAX_REPLAYED}. The oldest are accepted first.`,
  })
  replayed!: number;

  @Field(() => Int, {
    description: `The number of failed deliveries that were not accepted, counted up to ${MAX_FAILED_COUNTED}. Replay again to send them.`,
  })
  remaining!: number;

  @Field(() => TimestampScalar, {
    nullable: true,
    description:
      "When the last of these deliveries is due, at 50 a second. Later while the endpoint is paused or suspended. Null if there are none.",
  })
  lastAt!: Date | null;
}

@Resolver(() => WebhookEndpoint)
export class WebhookEndpointReplayResolver {
  @FieldResolver(() => Int, {
    description: `The number of failed deliveries that replayFailedDeliveries would replay from this time on. Includes deliveries that failed because the endpoint was disabled. Test events do not count. Counted up to ${MAX_FAILED_COUNTED}.`,
  })
  failedDeliveryCount(
    @Root() { shopId, id }: ListedWebhookEndpoint,
    @Ctx() context: CoreContext,
    @Arg("since", () => TimestampScalar, {
      description: "Count events from this time on. Events are kept for 30 days.",
    })
    since: Date,
  ): Promise<number> {
    return loaderOf(context, countFailedDeliveries).load({ shopId, id, since });
  }

  @FieldResolver(() => ReplayProgress, {
    nullable: true,
    description: "The replay in progress. Null if there is none.",
  })
  replay(@Root() { shopId, id }: ListedWebhookEndpoint, @Ctx() context: CoreContext): Promise<ReplayProgress | null> {
    return loaderOf(context, loadReplayProgress).load({ shopId, id });
  }
}

@Resolver()
export class DeliveryMutations {
  @Authorized(Permission.SETTINGS)
  @Mutation(() => WebhookDelivery, {
    description:
      "Sends a test event with sample data and the header X-Webhook-Test, in one attempt. It is sent even if the endpoint is paused, suspended or disabled. Returns the PENDING delivery: query it again for the result. A success enables a disabled endpoint, and a failure does not count. At most 10 test events per minute and endpoint. Fails if the plan does not include webhooks.",
  })
  async sendTestEvent(
    @ShopOperation() operation: Operation<CurrentShop>,
    @Selected() selection: Selection,
    @Arg("id", () => ID, { description: "The webhook endpoint." }) id: string,
    @Arg("topic", () => String, {
      nullable: true,
      description:
        "The topic, such as product.created. The endpoint does not have to subscribe to it. Default: the first topic that the endpoint subscribes to.",
    })
    topic?: string | null,
  ): Promise<ShownDelivery> {
    const request = { topic: topic as Topic | null | undefined };
    const deliveryId = await sendTestEvent(operation, id, request);
    return answerDelivery({ ...operation, selection }, deliveryId);
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => WebhookDelivery, {
    description:
      "Sends a failed or succeeded delivery again, immediately and with all attempts. The body is the same, byte for byte. Does nothing if the delivery is pending. Fails if the endpoint is disabled or deleted, or if the plan does not include webhooks.",
  })
  async replayDelivery(
    @ShopOperation() operation: Operation<CurrentShop>,
    @Selected() selection: Selection,
    @Arg("id", () => ID, { description: "The delivery." }) id: string,
  ): Promise<ShownDelivery> {
    await replayDelivery(operation, id);
    return answerDelivery({ ...operation, selection }, id);
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => WebhookReplay, {
    description: `Sends failed deliveries again, with all attempts: the oldest ${MAX_REPLAYED}, at 50 a second, after any replay in progress. Fails if the endpoint is disabled or deleted, or if the plan does not include webhooks.`,
  })
  replayFailedDeliveries(
    @ShopOperation() operation: Operation<CurrentShop>,
    @Arg("endpointId", () => ID, { description: "The webhook endpoint." }) endpointId: string,
    @Arg("since", () => TimestampScalar, { description: "Replay events from this time on." }) since: Date,
  ): Promise<WebhookReplay> {
    return replayFailedDeliveries(operation, { endpointId, since });
  }
}
