import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "../platform/logger.ts";
import { FAIL_BATCH, failDisabled } from "./fail-disabled.ts";
import { Presence } from "./presence.ts";
import type { EndpointKey } from "./turns.ts";

const INTERVAL = 1_000;

/** What was leased by workers that live no more is nobody's. */
const freeLeases = `update deliveries set leased_by = null
  where leased_by is not null and leased_by not in (${Presence.living})`;

const isWaiting = "status = 'PENDING' and leased_by is null and next_attempt_at is not null";

// From one endpoint to the next on the index, however many deliveries each has; then a look at the first of each.
const findDue = `
  with recursive waiting as (
    (select shop_id, endpoint_id from deliveries where ${isWaiting} order by shop_id, endpoint_id limit 1)
    union all
    select next.* from waiting cross join lateral (
      select shop_id, endpoint_id from deliveries
      where ${isWaiting} and (shop_id, endpoint_id) > (waiting.shop_id, waiting.endpoint_id)
      order by shop_id, endpoint_id limit 1
    ) next
  )
  select endpoint.shop_id as "shopId", endpoint.id as "endpointId", disabled_at is not null as "isDisabled" from waiting
  join webhook_endpoints endpoint on endpoint.shop_id = waiting.shop_id and endpoint.id = endpoint_id
  where disabled_at is not null or not paused and (probe_at is null or probe_at <= now()) and exists (
    select from deliveries where ${isWaiting} and deliveries.shop_id = waiting.shop_id
      and deliveries.endpoint_id = waiting.endpoint_id and next_attempt_at <= now()
  )
  union all
  select shop_id, endpoint_id, false from deliveries
  where is_test and status = 'PENDING' and leased_by is null and coalesce(next_attempt_at, now()) <= now()`;

interface DueEndpoint extends EndpointKey {
  isDisabled: boolean;
}

/**
 * Finds, every second, what no job tells of: retries whose time has come, what a worker left behind that was killed,
 * and what is waiting for an endpoint that was disabled. So a lost job, or a worker's end, costs a second.
 */
export class Sweep {
  readonly #presence: Presence;
  readonly #wake: (endpoints: EndpointKey[]) => void;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: { presence: Presence; wake: (endpoints: EndpointKey[]) => void; logger: Logger }) {
    this.#presence = options.presence;
    this.#wake = options.wake;
    this.#logger = options.logger;
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
    while (!signal.aborted) {
      let isMore = false;
      try {
        await this.#presence.query(freeLeases);
        const due = await this.#presence.query<DueEndpoint>(findDue);
        this.#wake(due.filter(({ isDisabled }) => !isDisabled));
        isMore = await this.#failDisabled(due.filter(({ isDisabled }) => isDisabled));
      } catch (error) {
        this.#logger.warn({ err: error }, "looking for due deliveries failed");
      }
      if (!isMore) await wait(INTERVAL, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Whether there may be more of it. */
  async #failDisabled(endpoints: EndpointKey[]): Promise<boolean> {
    if (endpoints.length === 0) return false;
    const [failed] = await this.#presence.query<{ count: number }>(failDisabled, [
      endpoints.map(({ shopId }) => shopId),
      endpoints.map(({ endpointId }) => endpointId),
    ]);
    return failed!.count === FAIL_BATCH;
  }
}
