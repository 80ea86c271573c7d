import type { Kysely } from "kysely";
import { LRUCache } from "lru-cache";
import { SILENCE } from "../../platform/postgres/pool.ts";
import type { Database } from "../model/tables.ts";
import { isId } from "../model/ids.ts";
import { findNodeOf, isOnCluster } from "./cluster.sql.ts";

const MAX_SHOPS = 10_000;
/** A shop may move to another node. Milliseconds. */
const CACHED = 10_000;
/** Shorter, because a coordinator that cannot cancel a statement on a node that hangs stays silent. Milliseconds. */
const SILENCE_ON_CLUSTER = 500;

/** Knows whether the database is on a cluster, and the node of each shop. */
export class NodeFinder {
  isOnCluster = false;
  readonly #database: Kysely<Database>;
  readonly #nodes = new LRUCache<string, Promise<string | undefined>>({ max: MAX_SHOPS, ttl: CACHED });

  /** @param database on a connection that only waits for the coordinator */
  constructor(database: Kysely<Database>) {
    this.#database = database;
  }

  /** The time beyond a statement time-out after which a silent connection counts as lost. Milliseconds. */
  get silence(): number {
    return this.isOnCluster ? SILENCE_ON_CLUSTER : SILENCE;
  }

  /** Asks whether the database is on a cluster. An unavailable one counts as none. */
  async start(): Promise<void> {
    this.isOnCluster = await isOnCluster(this.#database).catch(() => false);
  }

  /** Undefined without a cluster, for other names, and while the coordinator does not answer. */
  async nodeOf(shopId: string): Promise<string | undefined> {
    if (!this.isOnCluster || !isId(shopId)) return undefined;
    let node = this.#nodes.get(shopId);
    if (!node) {
      node = findNodeOf(this.#database, shopId).catch(() => undefined);
      this.#nodes.set(shopId, node);
    }
    return node;
  }
}
