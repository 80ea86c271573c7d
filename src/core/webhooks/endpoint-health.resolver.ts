import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../context.ts";
import { invalidInput } from "../model/errors.ts";
import { WebhookEndpoint } from "../model/webhooks/webhook-endpoint.entity.ts";
import { checkCount } from "../queries/list.ts";
import { loaderOf } from "../queries/loader-of.ts";
import type { ListedWebhookEndpoint } from "./health/read-endpoints.ts";
import type { InJson } from "../queries/columns.ts";
import { EndpointHealth, healthOf } from "./health/endpoint-health.ts";
import { HourlyAttempts, isSlow, SLOW_ATTEMPTS, SLOW_HOURS, SLOW_P95 } from "./health/hourly-attempts.ts";
import { loadHourlyAttempts } from "./health/load-hourly-attempts.sql.ts";

/** A week. */
const MAX_HOURS = 168;

@Resolver(() => WebhookEndpoint)
export class WebhookEndpointHealthResolver {
  @FieldResolver()
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
    const issues = checkCount("hours", hours, MAX_HOURS);
    if (issues.length > 0) throw invalidInput(issues);
    return loaderOf(context, loadHourlyAttempts).load({ shopId, id, hours });
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
