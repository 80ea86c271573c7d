import { Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../context.ts";
import { EndpointHealth, MAX_WAITING_COUNTED } from "./endpoint-health.ts";
import type { ListedWebhookEndpoint } from "./list-webhook-endpoints.ts";
import { WebhookEndpoint } from "./webhook-endpoint.entity.ts";

@Resolver(() => WebhookEndpoint)
export class WebhookEndpointHealthResolver {
  @FieldResolver(() => EndpointHealth, { description: "How deliveries to it fare." })
  health(@Root() { shopId, id }: ListedWebhookEndpoint, @Ctx() context: CoreContext): Promise<EndpointHealth> {
    return context.loaders.endpointHealth.load({ shopId, id });
  }
}

@Resolver(() => EndpointHealth)
export class EndpointHealthResolver {
  @FieldResolver(() => Int, {
    description: `Deliveries that are to be sent, for the first time or again. More than ${MAX_WAITING_COUNTED} are not counted: that many are shown.`,
  })
  waitingDeliveries(@Root() { shopId, id }: EndpointHealth, @Ctx() context: CoreContext): Promise<number> {
    return context.loaders.waitingDeliveries.load({ shopId, id });
  }
}
