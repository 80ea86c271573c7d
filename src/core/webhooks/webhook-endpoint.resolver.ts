import type { GraphQLResolveInfo } from "graphql";
import { Arg, Authorized, Ctx, FieldResolver, ID, Info, Int, Resolver, Root } from "type-graphql";
import { limitedTo } from "../access/actor.ts";
import { actorName } from "../access/actor-name.ts";
import { operationOf } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import { invalidInput } from "../model/errors.ts";
import { requirePermission } from "../access/permissions.ts";
import { orOwn, Permission } from "../model/permissions.ts";
import { CredentialStatus } from "../model/credentials/credential.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { DeletedWebhookEndpoint } from "../model/webhooks/deleted-endpoint.entity.ts";
import { endpointName, endpointSettings, WebhookEndpoint } from "../model/webhooks/webhook-endpoint.entity.ts";
import type { InJson } from "../queries/columns.ts";
import { checkRange } from "../queries/list.ts";
import { loaderOf } from "../queries/loader-of.ts";
import { selectionOf, ReadsShop, type ShopReader } from "../queries/selection.ts";
import { Id } from "../mutations/operation-arguments.ts";
import { listDeletedEndpoints, loadTokenStatuses, Owner } from "./endpoints/read-webhook-endpoints.ts";
import { permissionOfTopic } from "./endpoints/endpoint-filters.ts";
import { withoutQuery } from "./endpoints/target-url.ts";
import { ExplainedEvent, explainEvents, MAX_EXPLAINED, MAX_SEARCHED } from "./deliveries/explain-events.sql.ts";
import { PullState } from "./health/pull-state.sql.ts";
import { EndpointHealth, healthOf } from "./health/endpoint-health.ts";
import { HourlyAttempts, isSlow, SLOW_ATTEMPTS, SLOW_HOURS, SLOW_P95 } from "./health/hourly-attempts.ts";
import { loadHourlyAttempts } from "./health/load-hourly-attempts.sql.ts";
import { findWebhookEndpoint, listWebhookEndpoints, type ListedWebhookEndpoint } from "./health/read-endpoints.ts";
import { countFailedDeliveries, MAX_FAILED_COUNTED, ReplayProgress } from "./replays/replay-progress.ts";

@Authorized(orOwn(Permission.READ_LOGS))
@Resolver(() => Shop)
export class ShopWebhooksResolver {
  @FieldResolver(() => [WebhookEndpoint], { description: "Webhook endpoints, oldest first. The plan allows 3 or 25." })
  webhookEndpoints(
    @ReadsShop() read: ShopReader,
    @Owner() owner: string | undefined,
  ): Promise<ListedWebhookEndpoint[]> {
    return read(listWebhookEndpoints, owner);
  }

  @FieldResolver(() => WebhookEndpoint, {
    nullable: true,
    description: "The endpoint with this ID. Null if it does not exist.",
  })
  async webhookEndpoint(
    @ReadsShop() read: ShopReader,
    @Owner() owner: string | undefined,
    @Id("webhook endpoint") id: string,
  ): Promise<ListedWebhookEndpoint | undefined> {
    const endpoint = await read(findWebhookEndpoint, id);
    return owner === undefined || endpoint?.serviceTokenId === owner ? endpoint : undefined;
  }

  @Authorized(Permission.READ_LOGS)
  @FieldResolver(() => [DeletedWebhookEndpoint], {
    description: "Webhook endpoints deleted in the last 30 days that had deliveries, most recently deleted first.",
  })
  deletedWebhookEndpoints(@Root() shop: Shop, @Ctx() { orm }: CoreContext): Promise<DeletedWebhookEndpoint[]> {
    return listDeletedEndpoints(orm.em, shop.id);
  }
}

/** A week. */
const MAX_HOURS = 168;
const NAME = "What Admin calls the endpoint: its URL, or the description of a pull endpoint.";

@Resolver(() => WebhookEndpoint)
export class WebhookEndpointResolver {
  @FieldResolver(() => String, { description: NAME })
  name(@Root() endpoint: ListedWebhookEndpoint, @Ctx() context: CoreContext): string {
    return endpointName({ ...endpoint, url: shownUrl(endpoint, context) });
  }

  @FieldResolver(() => String, { description: endpointSettings.url.description })
  url(@Root() endpoint: ListedWebhookEndpoint, @Ctx() context: CoreContext): string {
    return shownUrl(endpoint, context);
  }

  @FieldResolver(() => [String], {
    nullable: "items",
    description: "The names of the credentials, and the email addresses of the staff, of ignoredActorIds.",
  })
  ignoredActorNames(
    @Root() { shopId, ignoredActorIds }: ListedWebhookEndpoint,
    @Ctx() context: CoreContext,
  ): Promise<(string | null)[]> {
    return Promise.all(ignoredActorIds.map((id) => actorName(context, shopId, id)));
  }

  @FieldResolver(() => CredentialStatus, {
    nullable: true,
    description: "The status of the service token. Its endpoint goes on after it has expired or was revoked.",
  })
  async serviceTokenStatus(
    @Root() { shopId, serviceTokenId: id }: ListedWebhookEndpoint,
    @Ctx() context: CoreContext,
  ): Promise<CredentialStatus | null> {
    return id === null ? null : loaderOf(context, loadTokenStatuses).load({ shopId, id });
  }

  @FieldResolver(() => PullState, {
    nullable: true,
    description: "The state of a pull endpoint: services receive its events with receiveEvents. Null for others.",
  })
  pull(@Root() { pull }: Required<ListedWebhookEndpoint>): InJson<PullState> | null {
    return pull;
  }

  @FieldResolver(() => Boolean, { description: endpointSettings.paused.description })
  paused(@Root() { paused, pullPaused }: Required<ListedWebhookEndpoint>): boolean {
    return pullPaused ?? paused;
  }

  @FieldResolver(() => Boolean, {
    description:
      "Whether this is a pull endpoint: services receive its events with receiveEvents, and nothing is sent.",
  })
  isPull(@Root() { pullPaused }: ListedWebhookEndpoint): boolean {
    return pullPaused !== null;
  }

  @FieldResolver(() => EndpointHealth, { description: "The health of the endpoint." })
  health(@Root() endpoint: Required<ListedWebhookEndpoint>): InJson<EndpointHealth> {
    return healthOf(endpoint);
  }

  @FieldResolver(() => [HourlyAttempts], {
    description: "The attempts in each of the last hours, oldest first. Includes the current hour.",
  })
  hourlyAttempts(
    @Root() { shopId, id }: ListedWebhookEndpoint,
    @Ctx() context: CoreContext,
    @Arg("hours", () => Int, { defaultValue: 24, description: `The number of hours, 1 to ${MAX_HOURS}.` })
    hours: number,
  ): Promise<HourlyAttempts[]> {
    const issues = checkRange("hours", hours, MAX_HOURS);
    if (issues.length > 0) throw invalidInput(issues);
    return loaderOf(context, loadHourlyAttempts).load({ shopId, id, hours });
  }

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

  @FieldResolver(() => [ExplainedEvent], {
    description: `Why the endpoint gets events of an order, a product or a customer, or not. The newest ${MAX_EXPLAINED}, among the newest ${MAX_SEARCHED} events of the shop.`,
    complexity: 50,
  })
  async explain(
    @Root() { shopId, id }: ListedWebhookEndpoint,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("recordId", () => ID, { description: "The ID of the order, the product or the customer." }) recordId: string,
  ): Promise<ExplainedEvent[]> {
    const events = await context.limit(explainEvents, context.orm.em, { shopId, id }, recordId, selectionOf(info));
    // READ_LOGS shows the events of all records.
    if (limitedTo(operationOf(context, shopId).actor, Permission.READ_LOGS) !== undefined) {
      for (const { topic } of events) requirePermission(context.caller, shopId, permissionOfTopic(topic));
    }
    return events;
  }

  @FieldResolver(() => ReplayProgress, {
    nullable: true,
    description: "The replay in progress. Null if there is none.",
  })
  replay(@Root() { replay }: Required<ListedWebhookEndpoint>): ReplayProgress | null {
    return replay;
  }
}

/** The URL. Only callers who may change it see its query, which may hold a secret of the receiver. */
function shownUrl({ shopId, url, serviceTokenId }: ListedWebhookEndpoint, context: CoreContext): string {
  const owner = limitedTo(operationOf(context, shopId).actor, Permission.SETTINGS);
  return owner === undefined || owner === serviceTokenId ? url : withoutQuery(url);
}

@Resolver(() => DeletedWebhookEndpoint)
export class DeletedEndpointResolver {
  @FieldResolver(() => String, { description: NAME })
  name(@Root() endpoint: DeletedWebhookEndpoint): string {
    return endpointName(endpoint);
  }
}

@Resolver(() => EndpointHealth)
export class EndpointHealthResolver {
  @FieldResolver(() => Boolean, {
    description: `Whether the endpoint responds slowly: the 95th percentile of its attempt durations in the last ${SLOW_HOURS} hours is over ${SLOW_P95 / 1_000} seconds. Always false with fewer than ${SLOW_ATTEMPTS} attempts.`,
  })
  async isSlow(@Root() { shopId, id }: EndpointHealth, @Ctx() context: CoreContext): Promise<boolean> {
    return isSlow(await loaderOf(context, loadHourlyAttempts).load({ shopId, id, hours: SLOW_HOURS }));
  }
}

@Resolver(() => PullState)
export class PullStateResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: "The name of that service, or the email address of that staff member.",
  })
  lastFetchedByName(@Root() state: PullState, @Ctx() context: CoreContext): Promise<string | null> {
    return actorName(context, state.shopId, state.lastFetchedBy);
  }
}
