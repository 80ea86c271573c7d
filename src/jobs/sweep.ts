import { setTimeout as wait } from "node:timers/promises";
import type { Kysely } from "kysely";
import { runStatement, type Database } from "../core/database.ts";
import { hasApiAccess } from "../core/shops/current-shop.ts";
import type { Logger } from "../platform/logger.ts";
import { failMissed } from "./fail-missed.ts";
import type { EndpointKey } from "./turns.ts";

const INTERVAL = 1_000;

/** Whether nothing will be sent: the endpoint was deleted or disabled, or the plan does not include webhooks any more. */
const willBeMissed = `(endpoint.id is null or disabled_at is not null or not ${hasApiAccess})`;
const isWaiting = "status = 'PENDING' and next_attempt_at is not null";

// From one endpoint to the next on the index, however many deliveries each has; then a look at the first of each.
const findDue = `
  with recursive waiting as (
    (select shop_id, endpoint_id from outstanding_deliveries where ${isWaiting} order by endpoint_id limit 1)
    union all
    select next.* from waiting cross join lateral (
      select shop_id, endpoint_id from outstanding_deliveries
      where ${isWaiting} and endpoint_id > waiting.endpoint_id order by endpoint_id limit 1
    ) next
  )
  select waiting.shop_id as "shopId", endpoint_id as "endpointId", ${willBeMissed} as "isMissed"
  from waiting join shops on shops.id = waiting.shop_id
  left join webhook_endpoints endpoint on endpoint.shop_id = waiting.shop_id and endpoint.id = endpoint_id
  where ${willBeMissed} or not paused and (probe_at is null or probe_at <= now()) and exists (
    select from outstanding_deliveries where ${isWaiting} and outstanding_deliveries.shop_id = waiting.shop_id
      and outstanding_deliveries.endpoint_id = waiting.endpoint_id and next_attempt_at <= now()
  )
  union all
  select shop_id, endpoint_id, false from outstanding_deliveries
  where is_test and status = 'PENDING' and coalesce(next_attempt_at, now()) <= now()`;

export interface SweepOptions {
  database: Kysely<Database>;
  /** Something is due at these endpoints. */
  wake: (endpoints: EndpointKey[]) => void;
  /** Done each time. */
  tidy: () => Promise<void>;
  logger: Logger;
}

interface DueEndpoint extends EndpointKey {
  isMissed: boolean;
}

/**
 * Finds, every second, what no job tells of: retries whose time has come, what a worker had begun that was killed,
 * and what waits for an endpoint that will not be sent it. So a lost job, or a worker's end, costs a second.
 */
export class Sweep {
  readonly #options: SweepOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const { database } = this.#options;
    while (!signal.aborted) {
      let isMore = false;
      try {
        await this.#options.tidy();
        const due = await runStatement<DueEndpoint>(database, findDue, []);
        this.#options.wake(due.filter(({ isMissed }) => !isMissed));
        const missed = due.filter(({ isMissed }) => isMissed);
        isMore = await failMissed(database, missed);
      } catch (error) {
        this.#options.logger.warn({ err: error }, "looking for due deliveries failed");
      }
      if (!isMore) await wait(INTERVAL, undefined, { signal }).catch(() => undefined);
    }
  }
}
