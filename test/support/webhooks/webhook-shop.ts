import { beforeEach } from "mocha";
import { expect } from "chai";
import { sendNow } from "../../../src/core/webhooks/jobs/send-jobs.sql.ts";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { query } from "../database.ts";
import { madeDeliveries } from "./deliveries.ts";
import { buildEndpoint, buildProduct, buildShop, buildStaff, type TestStaff } from "../factories.ts";
import { askGraphql, logIn } from "../graphql.ts";
import { useReceiver, type Receiver } from "./receiver.ts";
import type { TestServer } from "../server.ts";
import { SELECT_DELIVERIES } from "./delivery-rows.ts";

const SEND_TEST = `mutation ($shopId: ID!, $id: ID!, $topic: String) {
  sendTestEvent(shopId: $shopId, id: $id, topic: $topic) {
    id eventId topic body status isTest attemptCount nextAttemptAt
  }
}`;
const REPLAY = `mutation ($shopId: ID!, $id: ID!) {
  replayDelivery(shopId: $shopId, id: $id) {
    id eventId status attemptCount lastAttemptAt errorClass attempts { responseStatus }
  }
}`;
const REPLAY_FAILED = `mutation ($shopId: ID!, $endpointId: ID!, $since: Timestamp!) {
  replayFailedDeliveries(shopId: $shopId, endpointId: $endpointId, since: $since) { replayed remaining lastAt }
}`;
const COUNT = `query ($shopId: ID!, $since: Timestamp!) {
  shop(id: $shopId) { webhookEndpoints { failedDeliveryCount(since: $since) } }
}`;

export const LONG_AGO = "2026-01-31T09:30:00.000Z";

export interface DeliveryRow {
  id: string;
  event_id: string;
  endpoint_id: string;
  is_test: boolean;
  status: string;
  attempts: number;
  response_status: number | null;
  error_class: string | null;
  error: string | null;
  attempted_at: Date | null;
  next_attempt_at: Date | null;
}

export interface EndpointRow {
  paused: boolean;
  consecutive_failures: number;
  failing_since: Date | null;
  probe_at: Date | null;
  failed_probes: number;
  warned_at: Date | null;
  disabled_at: Date | null;
  disabled_reason: string | null;
  replays_until: Date | null;
}

/** A new shop for each test, with one endpoint for `product.created` and the actions of its staff. */
export class WebhookShop {
  shop!: Shop;
  owner!: TestStaff;
  endpointId!: string;
  session!: { cookie: string };

  constructor(
    readonly server: TestServer,
    readonly receiver: Receiver,
  ) {}

  async open(): Promise<void> {
    this.shop = await buildShop(this.server.em);
    this.owner = await buildStaff(this.server.em, this.shop);
    this.session = await logIn(this.server, this.owner);
    const { endpoint } = await buildEndpoint(this.server, this.shop, `${this.receiver.url}/${this.shop.id}`);
    this.endpointId = endpoint.id;
  }

  ask(document: string, variables: Record<string, unknown> = {}) {
    return askGraphql(this.server, document, { shopId: this.shop.id, ...variables }, this.session);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
  async #do(document: string, variables: Record<string, unknown>): Promise<any> {
    const { data, errors } = await this.ask(document, variables);
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    return Object.values(data)[0];
  }

  trySendTest = (topic?: string | null, id = this.endpointId) => this.ask(SEND_TEST, { id, topic });
  sendTest = (topic?: string) => this.#do(SEND_TEST, { id: this.endpointId, topic });
  tryReplay = (id: string) => this.ask(REPLAY, { id });
  replay = (id: string) => this.#do(REPLAY, { id });
  tryReplayFailed = (since: unknown = LONG_AGO, endpointId = this.endpointId) =>
    this.ask(REPLAY_FAILED, { since, endpointId });
  replayFailed = (since = LONG_AGO): Promise<{ replayed: number; remaining: number; lastAt: string | null }> =>
    this.#do(REPLAY_FAILED, { since, endpointId: this.endpointId });
  countFailed = async (since = LONG_AGO): Promise<number> =>
    (await this.#do(COUNT, { since })).webhookEndpoints[0].failedDeliveryCount;

  change = (count: number) => Promise.all(Array.from({ length: count }, () => buildProduct(this.server.em, this.shop)));

  /** Creates this number of failed deliveries, a second apart, oldest first. */
  async addFailed(count: number): Promise<void> {
    await this.change(1);
    await this.sql(
      `with ${madeDeliveries(
        "shop_id, id, event_id, endpoint_id, topic, status, attempts, created_at, attempted_at, error_class, error",
        `select shop_id, 'whd_' || lpad(place::text, 26, '0'), event_id, endpoint_id, topic, 'FAILED', 10,
          now() - (${count} - place) * interval '1 second', now(), 'TIMEOUT', 'No answer in time'
        from deliveries cross join generate_series(1, ${count}) as place where shop_id = $1 limit ${count}`,
      )} select`,
    );
    const [{ id }] = (await this.sql<{ id: string }>(
      "delete from outstanding_deliveries where shop_id = $1 and status <> 'FAILED' returning id",
    )) as [{ id: string }];
    await this.sql(`delete from deliveries where shop_id = $1 and id = '${id}'`);
  }

  /** Runs SQL with the shop as `$1` and the endpoint as `$2`. */
  sql<Row = Record<string, unknown>>(text: string): Promise<Row[]> {
    const used = [this.shop.id, this.endpointId].slice(0, text.includes("$2") ? 2 : 1);
    return query(this.server.databaseUrl, text, used) as Promise<Row[]>;
  }

  deliveries = () => this.sql<DeliveryRow>(`${SELECT_DELIVERIES} order by created_at, id`);
  delivery = async (id: string) => (await this.deliveries()).find((row) => row.id === id)!;
  attempts = () =>
    this.sql<{ delivery_id: string; is_probe: boolean; response_status: number | null }>(
      "select * from delivery_attempts where shop_id = $1 order by started_at, id",
    );
  endpoint = async () =>
    (await this.sql<EndpointRow>("select * from webhook_endpoints where shop_id = $1 and id = $2"))[0]!;
  /** Also adds a job, as every change does that may make deliveries due. */
  setEndpoint = async (assignments: string) => {
    await this.sql(`update webhook_endpoints set ${assignments} where shop_id = $1 and id = $2`);
    await this.send();
  };
  setDeliveries = async (assignments: string) => {
    await this.sql(`update outstanding_deliveries set ${assignments} where shop_id = $1`);
    await this.send();
  };
  send = () => sendNow(this.server.em, { shopId: this.shop.id, endpointId: this.endpointId });
  audit = (action: string) =>
    this.sql<{ actor_kind: string; actor_id: string | null; target_id: string; details: Record<string, string> }>(
      `select * from audit_entries where shop_id = $1 and action = '${action}' order by id`,
    );

  disable = () => this.setEndpoint("disabled_at = now(), disabled_reason = 'GONE'");
}

/** Registers hooks for a receiver and a new shop for each test. */
export function useWebhookShop(server: TestServer): WebhookShop {
  const receiver = useReceiver();
  const shop = new WebhookShop(server, receiver);
  beforeEach("open a shop", async () => {
    Object.assign(receiver, { received: [], status: 204, answerHeaders: {}, answerBody: "" });
    await shop.open();
  });
  return shop;
}
