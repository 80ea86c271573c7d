import type { EntityManager } from "@mikro-orm/postgresql";
import { WebhookEndpoint } from "../../model/webhooks/webhook-endpoint.entity.ts";
import { columnsOf, selectFields, type InJson, type Select, type Shown } from "../../queries/columns.ts";
import { kysely, readSelected } from "../../queries/database.ts";
import { answerOf, finderOf } from "../../queries/find-by-id.ts";
import type { Selection } from "../../queries/selection.ts";
import { replayProgress, type ReplayProgress } from "../replays/replay-progress.ts";
import { pullState, type PullState } from "./pull-state.sql.ts";
import { healthProperties, oldestDueAt, waitingDeliveries } from "./endpoint-health.ts";

type Endpoint = WebhookEndpoint & {
  waitingDeliveries: number;
  oldestDueAt: Date | null;
  pull: InJson<PullState> | null;
  replay: ReplayProgress | null;
};

/** The properties that resolvers use. */
const always = [
  "shopId",
  "id",
  "url",
  "description",
  "createdBy",
  "serviceTokenId",
  "pullPaused",
  "ignoredActorIds",
] as const;

/** An endpoint with the selected fields. */
export type ListedWebhookEndpoint = InJson<Shown<Endpoint, (typeof always)[number]>>;

/** What a selection reads of an endpoint, for `jsonRow` and `selectFields`. */
export function endpointFields(selected: Selection) {
  const { fields } = selected;
  const health = fields.has("health") ? [...healthProperties, ...selected.at("health").fields] : [];
  const selection = { fields: new Set<string>([...fields, ...health]) };
  return { selection, always, others: { waitingDeliveries, oldestDueAt, pull: pullState, replay: replayProgress } };
}

function selectEndpoint(em: EntityManager, selected: Selection): Select<Shown<Endpoint, (typeof always)[number]>> {
  const { selection, others } = endpointFields(selected);
  return selectFields<Endpoint, (typeof always)[number]>(
    { ...columnsOf(em, WebhookEndpoint), ...others },
    selection,
    always,
  );
}

/** Lists a shop's endpoints, or those of `owner`, oldest first, without pages because plans allow few. */
export async function listWebhookEndpoints(
  em: EntityManager,
  shopId: string,
  owner: string | undefined,
  selection: Selection,
): Promise<ListedWebhookEndpoint[]> {
  const endpoints = await readSelected(kysely(em), selection, { variant: "all", values: { shopId } }, (given) =>
    kysely(em)
      .selectFrom("webhook_endpoints")
      .select(selectEndpoint(em, selection))
      .where("shop_id", "=", given.shopId)
      .orderBy("id"),
  );
  return endpoints.filter(({ serviceTokenId }) => owner === undefined || serviceTokenId === owner);
}

/** Finds an endpoint. Undefined when this shop has none with this id. */
export const findWebhookEndpoint = finderOf("webhook_endpoints", selectEndpoint);
export const answerWebhookEndpoint = answerOf("Webhook endpoint", findWebhookEndpoint);
