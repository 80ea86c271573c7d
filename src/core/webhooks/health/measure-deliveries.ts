import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely } from "../../queries/database.ts";
import { Selection } from "../../queries/selection.ts";
import { listShops } from "../../shops/shops.ts";
import { countFailedDeliveries } from "../replays/replay-progress.ts";
import { listWebhookEndpoints, type ListedWebhookEndpoint } from "./read-endpoints.ts";
import { healthOf, HealthStatus } from "./endpoint-health.ts";

/** Figures of the deliveries to a shop's endpoints with the same health. */
export interface DeliveryFigures {
  shopId: string;
  shopName: string;
  /** Deliveries of paused endpoints wait for the shop's staff, and those of pull endpoints for services. */
  health: HealthStatus | "PULL" | "PAUSED";
  endpoints: number;
  waiting: number;
  failed: number;
  /** When the oldest pending delivery was due. */
  oldestDueAt: Date | null;
}

type EndpointFigures = Pick<DeliveryFigures, "health" | "waiting" | "failed" | "oldestDueAt">;

/** A time before all stored deliveries. */
const EVER = new Date(0);
const order = [...Object.values(HealthStatus), "PULL", "PAUSED"];

/** Returns figures of every open shop with endpoints, for operators, counted up to the limits shown to staff. */
export async function measureDeliveries(em: EntityManager): Promise<DeliveryFigures[]> {
  const figures: DeliveryFigures[] = [];
  for (const { id, name, closedAt } of await listShops(em)) {
    if (closedAt) continue;
    const byHealth = Map.groupBy(await measureEndpoints(em, id), ({ health }) => health);
    const groups = [...byHealth].toSorted(([one], [other]) => order.indexOf(one) - order.indexOf(other));
    figures.push(...groups.map(([health, group]) => ({ shopId: id, shopName: name, health, ...sumOf(group) })));
  }
  return figures;
}

const measured = Selection.of("paused oldestDueAt health { waitingDeliveries }");

async function measureEndpoints(em: EntityManager, shopId: string): Promise<EndpointFigures[]> {
  const endpoints = await listWebhookEndpoints(em, shopId, undefined, measured);
  if (endpoints.length === 0) return [];
  const failed = await countFailedDeliveries(
    kysely(em),
    endpoints.map(({ id }) => ({ shopId, id, since: EVER })),
  );
  return (endpoints as Required<ListedWebhookEndpoint>[]).map((endpoint, index) => {
    const { paused, pullPaused, waitingDeliveries: waiting, oldestDueAt } = endpoint;
    const { status } = healthOf(endpoint);
    const isPaused = (pullPaused ?? paused) && status !== HealthStatus.DISABLED;
    return {
      health: isPaused ? "PAUSED" : pullPaused === null ? status : "PULL",
      waiting,
      failed: failed[index]!,
      oldestDueAt: oldestDueAt ? new Date(oldestDueAt) : null,
    };
  });
}

function sumOf(group: readonly EndpointFigures[]) {
  const dues = group.flatMap(({ oldestDueAt }) => oldestDueAt ?? []);
  return {
    endpoints: group.length,
    waiting: group.reduce((sum, { waiting }) => sum + waiting, 0),
    failed: group.reduce((sum, { failed }) => sum + failed, 0),
    oldestDueAt: dues.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null,
  };
}
