import type { GraphQLResolveInfo } from "graphql";
import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  InputType,
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
import { selectionOf } from "../../queries/selection.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import { Shop } from "../../model/shops/shop.entity.ts";
import { actorName, CREATED_BY_NAME } from "../../access/actor-name.ts";
import { activateWebhookSecret } from "./activate-webhook-secret.ts";
import { createWebhookEndpoint } from "./create-webhook-endpoint.ts";
import { DeletedWebhookEndpoint } from "../../model/webhooks/deleted-endpoint.entity.ts";
import { listDeletedEndpoints } from "./deleted-endpoints.ts";
import { deleteWebhookEndpoint } from "./delete-webhook-endpoint.ts";
import { MAX_HEADERS, MAX_NAME_LENGTH, MAX_VALUE_LENGTH } from "./endpoint-headers.ts";
import { findWebhookEndpoint, listWebhookEndpoints, type ListedWebhookEndpoint } from "./read-webhook-endpoints.ts";
import { rotateWebhookSecret } from "./rotate-webhook-secret.ts";
import type { Topic } from "../../model/webhooks/topics.ts";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.ts";
import { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";

@InputType({ description: "A header of an endpoint's own." })
class WebhookHeaderInput {
  @Field(() => String, {
    description: `A header's name (RFC 9110), of at most ${MAX_NAME_LENGTH} characters and in whatever case. None that deliveries or connections set: Content-*, Webhook-*, X-Webhook-*, Host, User-Agent and their like.`,
  })
  name!: string;

  @Field(() => String, {
    description: `Visible ASCII characters, with spaces and tabs between them: 1 to ${MAX_VALUE_LENGTH} after trimming. Stored encrypted and never shown.`,
  })
  value!: string;
}

@InputType({ description: "A new webhook endpoint." })
class CreateWebhookEndpointInput {
  @Field(() => String, {
    description: "https:// address, port 443 or from 1024; at most 2048 characters, in its normal form (WHATWG).",
  })
  url!: string;

  @Field(() => [String], { description: "Topics to subscribe to, such as product.created; at least one." })
  topics!: string[];

  @Field(() => String, { nullable: true, description: "The purpose: 1 to 255 characters after trimming." })
  description?: string | null;

  @Field(() => [WebhookHeaderInput], {
    nullable: true,
    description: `Headers to send with each delivery, such as Authorization: at most ${MAX_HEADERS}, each name once.`,
  })
  headers?: WebhookHeaderInput[] | null;
}

@InputType({ description: "Changes to a webhook endpoint. Omitted fields stay as they are." })
class UpdateWebhookEndpointInput {
  @Field(() => String, {
    nullable: true,
    description: "https:// address, port 443 or from 1024; at most 2048 characters, in its normal form (WHATWG).",
  })
  url?: string | null;

  @Field(() => [String], { nullable: true, description: "All topics to subscribe to, such as product.created." })
  topics?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description: "The purpose: 1 to 255 characters after trimming. Null removes it.",
  })
  description?: string | null;

  @Field(() => [WebhookHeaderInput], {
    nullable: true,
    description: `All headers to send with each delivery: at most ${MAX_HEADERS}, each name once. An empty list removes them. Required with a url of another origin when there are any.`,
  })
  headers?: WebhookHeaderInput[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "While paused, deliveries are kept and not sent. Those are sent when this becomes false.",
  })
  paused?: boolean | null;
}

@InputType({ description: "The terms on which a new signing secret replaces the old one." })
class RotateWebhookSecretInput {
  @Field(() => Int, {
    defaultValue: 24,
    description:
      "For how many hours webhook-signature also has a signature by the old secret: 0 to 168. With 0 every earlier secret ends at once.",
  })
  overlapHours!: number;

  @Field(() => TimestampScalar, {
    nullable: true,
    description:
      "When the new secret begins to key X-Webhook-Signature, which has room for one: at once unless given, and before the overlap ends.",
  })
  activeAt?: Date | null;
}

@ObjectType({ description: "A webhook endpoint with its new signing secret.", simpleResolvers: true })
class CreatedWebhookEndpoint {
  @Field(() => WebhookEndpoint, { description: "The endpoint." })
  endpoint!: ListedWebhookEndpoint;

  @Field(() => String, { description: "Signs deliveries. Shown here once and never again." })
  secret!: string;
}

@Resolver(() => Shop)
export class ShopWebhooksResolver {
  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => [WebhookEndpoint], { description: "Oldest first. A plan allows 3 or 25." })
  webhookEndpoints(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ListedWebhookEndpoint[]> {
    return context.limit(listWebhookEndpoints, context.orm.em, shop.id, selectionOf(info).fields);
  }

  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => WebhookEndpoint, { nullable: true, description: "Null when the shop has none with this id." })
  webhookEndpoint(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("id", () => ID, { description: "The webhook endpoint." }) id: string,
  ): Promise<ListedWebhookEndpoint | undefined> {
    return context.limit(findWebhookEndpoint, context.orm.em, shop.id, id, selectionOf(info).fields);
  }

  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => [DeletedWebhookEndpoint], {
    description: "Those of the last 30 days that deliveries were sent to, the last deleted first.",
  })
  deletedWebhookEndpoints(@Root() shop: Shop, @Ctx() { orm }: CoreContext): Promise<DeletedWebhookEndpoint[]> {
    return listDeletedEndpoints(orm.em, shop.id);
  }
}

@Resolver(() => WebhookEndpoint)
export class WebhookEndpointResolver {
  @FieldResolver(() => String, { nullable: true, description: CREATED_BY_NAME })
  createdByName(
    @Root() { shopId, createdBy }: ListedWebhookEndpoint,
    @Ctx() context: CoreContext,
  ): Promise<string | null> {
    return actorName(context, shopId, createdBy);
  }
}

@Resolver()
export class WebhookEndpointMutations {
  @Authorized(Permission.SETTINGS)
  @Mutation(() => CreatedWebhookEndpoint, { description: "Subscribes an address to changes in the shop." })
  async createWebhookEndpoint(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @ShopId() shopId: string,
    @Arg("input", () => CreateWebhookEndpointInput, { description: "What to create." })
    input: CreateWebhookEndpointInput,
  ): Promise<CreatedWebhookEndpoint> {
    const request = { ...input, topics: input.topics as Topic[] };
    const { endpoint, secret } = await createWebhookEndpoint(operationOf(context, shopId), context, request);
    return { endpoint: await show(context, shopId, endpoint.id, selectionOf(info).at("endpoint").fields), secret };
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => WebhookEndpoint, { description: "Changes, pauses or unpauses an endpoint." })
  async updateWebhookEndpoint(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The webhook endpoint." }) id: string,
    @Arg("input", () => UpdateWebhookEndpointInput, { description: "The changes. Omitted fields stay as they are." })
    input: UpdateWebhookEndpointInput,
  ): Promise<ListedWebhookEndpoint> {
    const request = { ...input, topics: input.topics as Topic[] | null | undefined };
    await updateWebhookEndpoint(operationOf(context, shopId), context, id, request);
    return show(context, shopId, id, selectionOf(info).fields);
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => CreatedWebhookEndpoint, {
    description:
      "Makes a new signing secret. While the overlap of an earlier rotation lasts, it is refused unless overlapHours is 0.",
  })
  async rotateWebhookSecret(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The webhook endpoint." }) id: string,
    @Arg("input", () => RotateWebhookSecretInput, { description: "The terms of the rotation." })
    input: RotateWebhookSecretInput,
  ): Promise<CreatedWebhookEndpoint> {
    const secret = await rotateWebhookSecret(operationOf(context, shopId), context, id, { ...input });
    return { endpoint: await show(context, shopId, id, selectionOf(info).at("endpoint").fields), secret };
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => WebhookEndpoint, {
    description: "Lets the new secret key X-Webhook-Signature from now on, before the moment that rotation set.",
  })
  async activateWebhookSecret(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The webhook endpoint." }) id: string,
  ): Promise<ListedWebhookEndpoint> {
    await activateWebhookSecret(operationOf(context, shopId), id);
    return show(context, shopId, id, selectionOf(info).fields);
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => Boolean, {
    description: "Deletes an endpoint and what it was still to be sent. False when there is none.",
  })
  deleteWebhookEndpoint(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The webhook endpoint." }) id: string,
  ): Promise<boolean> {
    return deleteWebhookEndpoint(operationOf(context, shopId), id);
  }
}

/** Returns the current endpoint, unless it was deleted since its change. */
async function show(
  { orm }: CoreContext,
  shopId: string,
  id: string,
  fields: ReadonlySet<string>,
): Promise<ListedWebhookEndpoint> {
  const endpoint = await findWebhookEndpoint(orm.em, shopId, id, fields);
  if (!endpoint) throw new AppError("NOT_FOUND", "Webhook endpoint not found");
  return endpoint;
}
