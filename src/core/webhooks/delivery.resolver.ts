import { Arg, Args, Authorized, Ctx, FieldResolver, Resolver, Root, Mutation } from "type-graphql";
import { limitedTo } from "../access/actor.ts";
import { SHOWN_TO_WRITERS } from "../access/auth-checker.ts";
import { actorName } from "../access/actor-name.ts";
import { ShopOperation, type AnsweredOperation } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import type { Page } from "../model/page.ts";
import { AppError } from "../model/errors.ts";
import { orOwn, Permission } from "../model/permissions.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { LoggedAttempt } from "../model/webhooks/delivery-attempt.entity.ts";
import type { Topic } from "../model/webhooks/topics.ts";
import { ReadsShop, type ShopReader } from "../queries/selection.ts";
import { Id } from "../mutations/operation-arguments.ts";
import { checkReceiver } from "./checks/check-receiver.ts";
import { ReceiverCheck } from "./checks/receiver-checks.ts";
import { showAttempts, type ShownAttempt } from "./deliveries/delivery-attempts.ts";
import {
  findVisibleDelivery,
  listDeliveries,
  ListDeliveriesArgs,
  answerDelivery,
  type ShownDelivery,
} from "./deliveries/read-deliveries.ts";
import { WebhookDelivery, WebhookDeliveryPage } from "./deliveries/webhook-delivery.ts";
import { Claim, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";
import { Owner } from "./endpoints/read-webhook-endpoints.ts";
import { sendTestEvent } from "./events/test-events.ts";
import { replayDelivery, replayFailedDeliveries, WebhookReplay } from "./replays/replays.ts";
import { MAX_REPLAYED } from "./replays/take-deliveries.sql.ts";

@Authorized(orOwn(Permission.READ_LOGS))
@Resolver(() => Shop)
export class ShopDeliveriesResolver {
  @FieldResolver(() => WebhookDeliveryPage, {
    description: "Deliveries of the last 30 days and pending deliveries, newest first by default.",
  })
  webhookDeliveries(
    @ReadsShop() read: ShopReader,
    @Owner() owner: string | undefined,
    @Args(() => ListDeliveriesArgs) filter: ListDeliveriesArgs,
  ): Promise<Page<ShownDelivery>> {
    return read(listDeliveries, { ...filter, owner });
  }

  @FieldResolver(() => WebhookDelivery, {
    nullable: true,
    description: "The delivery with this ID. Null if it does not exist.",
  })
  webhookDelivery(
    @ReadsShop() read: ShopReader,
    @Owner() owner: string | undefined,
    @Id("delivery") id: string,
  ): Promise<ShownDelivery | undefined> {
    return read(findVisibleDelivery, { id, owner });
  }
}

@Resolver(() => WebhookDelivery)
export class DeliveryResolver {
  @FieldResolver(() => [LoggedAttempt], {
    description: "The newest 50 attempts, oldest first, including attempts before a replay.",
  })
  attempts(@Root() { attempts }: ShownDelivery): ShownAttempt[] {
    return showAttempts(attempts!);
  }

  @FieldResolver(() => String, { nullable: true, description: "The name or email address of fetchedBy." })
  fetchedByName(@Root() { shopId, fetchedBy }: ShownDelivery, @Ctx() context: CoreContext): Promise<string | null> {
    return actorName(context, shopId, fetchedBy!);
  }
}

@Resolver()
export class DeliveryMutations {
  @Authorized(orOwn(Permission.SETTINGS))
  @Mutation(() => WebhookDelivery, {
    description:
      "Sends a test event with sample data and the header X-Webhook-Test, in one attempt. It is sent even if the endpoint is paused, suspended or disabled. Returns the PENDING delivery: query it again for the result. A success enables a disabled endpoint, and a failure does not count. At most 10 test events per minute and endpoint. Fails if the plan does not include webhooks.",
  })
  async sendTestEvent(
    @ShopOperation() operation: AnsweredOperation,
    @Id("webhook endpoint") id: string,
    @Arg("topic", () => String, {
      nullable: true,
      description:
        "The topic, such as product.created. The endpoint does not have to subscribe to it. Default: the first topic that the endpoint subscribes to.",
    })
    topic?: string | null,
  ): Promise<ShownDelivery> {
    const deliveryId = await sendTestEvent(operation, id, { topic: topic as Topic | null | undefined });
    return answerDelivery(operation, { id: deliveryId, owner: undefined });
  }

  @Authorized(orOwn(Permission.SETTINGS))
  @Mutation(() => [ReceiverCheck], {
    description:
      "Checks how the receiver of a webhook endpoint responds to valid and invalid deliveries: 13 requests with the header X-Webhook-Test and IDs that match no record, in any state of the endpoint, whose health does not change. Returns the twelve results within 45 seconds. Checks do not run if the receiver refuses the valid event or is slow. At most once a minute and endpoint. Fails if the plan does not include webhooks.",
  })
  async checkReceiver(
    @ShopOperation() operation: AnsweredOperation,
    @Ctx() context: CoreContext,
    @Id("webhook endpoint") id: string,
  ): Promise<ReceiverCheck[]> {
    const { arrivals, waiting } = context;
    if (!waiting) throw new AppError("RATE_LIMITED", "Only one field of a request can wait");
    context.waiting = undefined;
    return checkReceiver(operation, id, { arrivals, rest: waiting.rest });
  }

  @Authorized(orOwn(Permission.REPLAY_DELIVERIES))
  @Mutation(() => WebhookDelivery, {
    description:
      "Sends a failed or succeeded delivery again, immediately and with all attempts. The body is the same, byte for byte. Does nothing if the delivery is pending. Fails if the endpoint is disabled or deleted, or if the plan does not include webhooks.",
  })
  async replayDelivery(
    @ShopOperation() operation: AnsweredOperation,
    @Id("delivery") id: string,
    @Claim() claim?: IdempotencyClaim,
  ): Promise<ShownDelivery> {
    const { READ_LOGS, REPLAY_DELIVERIES } = Permission;
    const readsId = [...operation.selection.fields].every((field) => SHOWN_TO_WRITERS.has(field));
    // Decided before it is sent, because the answer shows no more than the caller may see.
    const owner = limitedTo(operation.actor, REPLAY_DELIVERIES, readsId ? REPLAY_DELIVERIES : READ_LOGS);
    await replayDelivery(operation, { id, owner }, claim);
    return answerDelivery(operation, { id, owner });
  }

  @Authorized(orOwn(Permission.REPLAY_DELIVERIES))
  @Mutation(() => WebhookReplay, {
    description: `Sends failed deliveries again, with all attempts: the oldest ${MAX_REPLAYED}, at 50 a second, after any replay in progress. Fails if the endpoint is disabled or deleted, or if the plan does not include webhooks.`,
  })
  replayFailedDeliveries(
    @ShopOperation() operation: AnsweredOperation,
    @Id("webhook endpoint", "endpointId") endpointId: string,
    @Arg("since", () => TimestampScalar, { description: "Replay events from this time on." }) since: Date,
    @Claim() claim?: IdempotencyClaim,
  ): Promise<WebhookReplay> {
    return replayFailedDeliveries(operation, { endpointId, since }, claim);
  }
}
