import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from "type-graphql";
import type { CoreContext } from "../context.ts";
import { Permission } from "../permissions.ts";
import { Shop } from "../shops/shop.entity.ts";
import { createWebhookEndpoint } from "./create-webhook-endpoint.ts";
import type { Topic } from "./topics.ts";
import { WebhookEndpoint } from "./webhook-endpoint.entity.ts";

@InputType({ description: "A new webhook endpoint." })
class CreateWebhookEndpointInput {
  @Field(() => String, { description: "https:// address, port 443 or from 1024." })
  url!: string;

  @Field(() => [String], { description: "Topics to subscribe to, such as product.created." })
  topics!: string[];
}

@ObjectType({ description: "A new webhook endpoint with its signing secret.", simpleResolvers: true })
class CreatedWebhookEndpoint {
  @Field(() => WebhookEndpoint)
  endpoint!: WebhookEndpoint;

  @Field(() => String, { description: "Signs every delivery. Shown here once and never again." })
  secret!: string;
}

@Resolver(() => Shop)
export class WebhookResolver {
  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => [WebhookEndpoint], { description: "Oldest first." })
  webhookEndpoints(@Root() shop: Shop, @Ctx() context: CoreContext): Promise<WebhookEndpoint[]> {
    return context.orm.em.fork().find(WebhookEndpoint, { shopId: shop.id }, { orderBy: { id: "asc" } });
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => CreatedWebhookEndpoint)
  createWebhookEndpoint(
    @Ctx() context: CoreContext,
    @Arg("shopId", () => ID) shopId: string,
    @Arg("input", () => CreateWebhookEndpointInput) input: CreateWebhookEndpointInput,
  ): Promise<CreatedWebhookEndpoint> {
    const services = { ...context, em: context.orm.em };
    const topics = input.topics as Topic[];
    return createWebhookEndpoint(services, shopId, { url: input.url, topics, createdBy: context.actor!.id });
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => Boolean, {
    description: "Deletes an endpoint and what it was still to be sent. False when there is none.",
  })
  async deleteWebhookEndpoint(
    @Ctx() context: CoreContext,
    @Arg("shopId", () => ID) shopId: string,
    @Arg("id", () => ID) id: string,
  ): Promise<boolean> {
    return (await context.orm.em.fork().nativeDelete(WebhookEndpoint, { shopId, id })) > 0;
  }
}
