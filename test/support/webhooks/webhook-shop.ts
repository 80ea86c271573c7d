import { beforeEach } from "mocha";
import { sendNow } from "../../../src/core/webhooks/jobs/send-jobs.sql.ts";
import { madeDeliveries, SELECT_DELIVERIES } from "./deliveries.ts";
import { buildEndpoint, buildProduct } from "../factories.ts";
import { useReceiver, type Receiver } from "./receiver.ts";
import { TestServer, useServer, type TestServerOptions } from "../server.ts";
import { World } from "../world.ts";

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
  failing_topics: Record<string, number>;
  failing_since: Date | null;
  probe_at: Date | null;
  failed_probes: number;
  warned_at: Date | null;
  disabled_at: Date | null;
  disabled_reason: string | null;
  replays_until: Date | null;
}

interface Attempt {
  delivery_id: string;
  is_probe: boolean;
  response_status: number | null;
  error_class: string | null;
  response_body: string | null;
}

/** A shop with one endpoint for `product.created`, and the actions of its staff. */
export class WebhookShop extends World {
  endpointId!: string;

  constructor(
    server: TestServer,
    readonly receiver: Receiver,
  ) {
    super(server);
  }

  protected override async furnish(): Promise<void> {
    const { endpoint } = await buildEndpoint(this.server, this.shop, `${this.receiver.url}/${this.shop.id}`);
    this.endpointId = endpoint.id;
  }

  trySendTest = (topic?: string | null, id = this.endpointId) => this.send("sendTestEvent", { id, topic });
  sendTest = (topic?: string) => this.run("sendTestEvent", { id: this.endpointId, topic });
  tryReplay = (id: string) => this.send("replayDelivery", { id });
  replay = (id: string) => this.run("replayDelivery", { id });
  tryReplayFailed = (since: unknown = LONG_AGO, endpointId = this.endpointId) =>
    this.send("replayFailedDeliveries", { since, endpointId });
  replayFailed = (since = LONG_AGO): Promise<{ replayed: number; remaining: number; lastAt: string | null }> =>
    this.run("replayFailedDeliveries", { since, endpointId: this.endpointId });
  countFailed = async (since = LONG_AGO): Promise<number> =>
    (await this.ask(COUNT, { since })).data.shop.webhookEndpoints[0].failedDeliveryCount;

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

  deliveries = () => this.sql<DeliveryRow>(`${SELECT_DELIVERIES} order by created_at, id`);
  delivery = async (id: string) => (await this.deliveries()).find((row) => row.id === id)!;
  attempts = () => this.sql<Attempt>("select * from delivery_attempts where shop_id = $1 order by started_at, id");
  endpoint = async () =>
    (
      await this.sql<EndpointRow>("select * from webhook_endpoints where shop_id = $1 and id = $2", this.endpointId)
    )[0]!;
  /** Also adds a job, as every change does that may make deliveries due. */
  setEndpoint = async (assignments: string) => {
    await this.sql(`update webhook_endpoints set ${assignments} where shop_id = $1 and id = $2`, this.endpointId);
    await this.wake();
  };
  setDeliveries = async (assignments: string) => {
    await this.sql(`update outstanding_deliveries set ${assignments} where shop_id = $1`);
    await this.wake();
  };
  /** Adds a job. */
  wake = () => sendNow(this.server.em, { shopId: this.shop.id, endpointId: this.endpointId });
  audit = (action: string) =>
    this.sql<{ actor_kind: string; actor_id: string | null; target_id: string; details: Record<string, string> }>(
      `select * from audit_entries where shop_id = $1 and action = '${action}' order by id`,
    );

  disable = () => this.setEndpoint("disabled_at = now(), disabled_reason = 'GONE'");
}

/** Registers hooks for a receiver and a new shop for each test, on a server for this block or on one that runs. */
export function useWebhookShop(on: TestServer | TestServerOptions = {}): WebhookShop {
  const own = "takes jobs from the queue of all shops";
  const server = on instanceof TestServer ? on : useServer({ own, ...on });
  const receiver = useReceiver();
  const shop = new WebhookShop(server, receiver);
  beforeEach("open a shop", () => shop.open());
  return shop;
}
