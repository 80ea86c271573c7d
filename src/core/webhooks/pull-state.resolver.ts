import { Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from "type-graphql";
import { actorName } from "../access/actor-name.ts";
import type { CoreContext } from "../context.ts";
import { Permission } from "../model/permissions.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { DeletedWebhookEndpoint } from "../model/webhooks/deleted-endpoint.entity.ts";
import { endpointName, WebhookEndpoint } from "../model/webhooks/webhook-endpoint.entity.ts";
import type { InJson } from "../queries/columns.ts";
import type { ListedWebhookEndpoint } from "./health/read-endpoints.ts";
import { withoutQuery } from "./endpoints/target-url.ts";
import { MAX_BACKLOG_COUNTED } from "./health/backlog.sql.ts";

@ObjectType({ description: "The events of a pull endpoint that wait for services.", simpleResolvers: true })
class PullState {
  shopId!: string;

  @Field(() => Int, {
    description: `The number of events that the next callers receive. Counted up to ${MAX_BACKLOG_COUNTED}.`,
  })
  waiting!: number;

  @Field(() => Int, {
    description: `The number of events that services have received, with leases that have not ended. Counted up to ${MAX_BACKLOG_COUNTED}.`,
  })
  leased!: number;

  @Field(() => TimestampScalar, {
    nullable: true,
    description: "When the oldest event occurred that is not acknowledged. Null if there is none.",
  })
  oldestAt!: Date | null;

  @Field(() => Boolean, { description: "Whether that was more than a day ago." })
  isBehind!: boolean;

  @Field(() => TimestampScalar, {
    nullable: true,
    description: "When a caller last asked for events, to the minute. Null if none has.",
  })
  lastFetchedAt!: Date | null;

  @Field(() => ID, { nullable: true, description: "The ID of that service or staff member." })
  lastFetchedBy!: string | null;
}

/** The URL. Only callers with SETTINGS see its query, which may hold a secret of the receiver. */
function shownUrl({ shopId, url }: ListedWebhookEndpoint, { caller }: CoreContext): string {
  const isManager = caller?.memberships.get(shopId)?.permissions.has(Permission.SETTINGS);
  return isManager ? url : withoutQuery(url);
}

@Resolver(() => WebhookEndpoint)
export class WebhookEndpointPullResolver {
  @FieldResolver(() => String, {
    description: "What Admin calls the endpoint: its URL, or the description of a pull endpoint.",
  })
  name(@Root() endpoint: ListedWebhookEndpoint, @Ctx() context: CoreContext): string {
    return endpointName({ ...endpoint, url: shownUrl(endpoint, context) });
  }

  @FieldResolver()
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

  @FieldResolver(() => PullState, {
    nullable: true,
    description: "The state of a pull endpoint: services receive its events with receiveEvents. Null for others.",
  })
  pull(
    @Root() { pull, shopId, lastFetchedAt, lastFetchedBy }: Required<ListedWebhookEndpoint>,
  ): InJson<PullState> | null {
    return pull && { ...pull, shopId, lastFetchedAt, lastFetchedBy };
  }
}

@Resolver(() => DeletedWebhookEndpoint)
export class DeletedEndpointResolver {
  @FieldResolver(() => String, {
    description: "What Admin calls the endpoint: its URL, or the description of a pull endpoint.",
  })
  name(@Root() endpoint: DeletedWebhookEndpoint): string {
    return endpointName(endpoint);
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
