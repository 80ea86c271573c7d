import type { Kysely } from "kysely";
import pg from "pg";
import { withSettings } from "../../platform/connection-url.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Database } from "../database.ts";
import { Permission, scopeFor, type Actor } from "../permissions.ts";
import type { Shop } from "../shops/shop.entity.ts";
import { digestSecret } from "./api-key-secret.ts";
import type { LastUses } from "./last-uses.ts";

/** A change to a key or a plan is seen by every process within this time. Milliseconds. */
const MAX_STALENESS = 1_000;
const HEARTBEAT = 250;
const RECONNECT = 500;
const MAX_ENTRIES = 10_000;

interface Entry {
  actor: Actor;
  shopId: string;
  expiresAt: Date | null;
}

/**
 * Finds the actor behind an API key, and keeps it in memory.
 *
 * PostgreSQL notifies each process of changes to keys and shops, and the process forgets what it knows of
 * that shop. A heartbeat on the listening connection proves that nothing was missed: its answer comes
 * after every notification that was due before it was asked. Without a proof younger than a second, as
 * when the connection hangs or is down, memory is not used at all.
 */
export class KeyDirectory {
  readonly #database: Kysely<Database>;
  readonly #url: string;
  readonly #logger: Logger;
  readonly #uses: LastUses;
  readonly #entries = new Map<string, Entry>();
  #listener: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #provenAt = Number.NEGATIVE_INFINITY;
  /** Counts invalidations, so that a row read before one is not remembered after it. */
  #generation = 0;
  #stopped = false;

  constructor(options: { database: Kysely<Database>; url: string; logger: Logger; uses: LastUses }) {
    this.#database = options.database;
    this.#url = options.url;
    this.#logger = options.logger;
    this.#uses = options.uses;
  }

  /** Starts listening. Comes back by itself when the connection is lost. */
  async start(): Promise<void> {
    await this.#connect().catch((error: unknown) => this.#reconnectLater(error));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#listener?.end().catch(() => undefined);
  }

  /** The actor whose key this is; undefined when there is none, or it is revoked or has expired. */
  async findActor(secret: string): Promise<Actor | undefined> {
    const digest = digestSecret(secret);
    const cacheKey = digest.toString("latin1");
    const isFresh = performance.now() - this.#provenAt < MAX_STALENESS;
    let entry = isFresh ? this.#entries.get(cacheKey) : undefined;
    if (!entry) {
      const generation = this.#generation;
      entry = await this.#load(digest);
      if (!entry) return undefined;
      if (generation === this.#generation) this.#remember(cacheKey, entry);
    }
    if (entry.expiresAt !== null && entry.expiresAt <= new Date()) return undefined;
    this.#uses.note("api_keys", entry.shopId, entry.actor.id);
    return entry.actor;
  }

  async #load(digest: Buffer): Promise<Entry | undefined> {
    const row = await this.#database
      .selectFrom("api_keys")
      .innerJoin("shops", "shops.id", "api_keys.shop_id")
      .select(["api_keys.id as keyId", "api_keys.name as keyName", "scopes", "expires_at as expiresAt"])
      .select(["shops.id as id", "shops.name as name", "plan", "trial_ends_at as trialEndsAt", "currency", "oversells"])
      .select("shops.created_at as createdAt")
      .where("digest", "=", digest)
      .where("revoked_at", "is", null)
      .executeTakeFirst();
    if (!row) return undefined;
    const { keyId, keyName, scopes, expiresAt, ...shop } = row;
    const granted = Object.values(Permission).filter((permission) => {
      const scope = scopeFor(permission);
      return scope !== undefined && scopes.includes(scope);
    });
    const membership = { shop: shop as Shop, permissions: new Set(granted) };
    const actor: Actor = { kind: "apiKey", id: keyId, name: keyName, memberships: new Map([[shop.id, membership]]) };
    return { actor, shopId: shop.id, expiresAt };
  }

  #remember(cacheKey: string, entry: Entry): void {
    if (this.#entries.size >= MAX_ENTRIES) this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(cacheKey, entry);
  }

  #forget(shopId?: string): void {
    this.#generation += 1;
    for (const [cacheKey, entry] of this.#entries) {
      if (shopId === undefined || entry.shopId === shopId) this.#entries.delete(cacheKey);
    }
  }

  async #connect(): Promise<void> {
    const listener = new pg.Client({
      connectionString: withSettings(this.#url),
      application_name: "merchant-api keys",
      connectionTimeoutMillis: 3_000,
      query_timeout: MAX_STALENESS,
    });
    this.#listener = listener;
    listener.on("error", () => undefined);
    listener.on("notification", ({ payload }) => this.#forget(payload));
    await listener.connect();
    await listener.query("listen credentials_changed");
    // What changed before this connection listened is unknown.
    this.#forget();
    this.#beat(listener);
  }

  #beat(listener: pg.Client): void {
    const askedAt = performance.now();
    listener.query("select 1").then(
      () => {
        this.#provenAt = askedAt;
        this.#timer = setTimeout(() => this.#beat(listener), HEARTBEAT);
      },
      (error: unknown) => this.#reconnectLater(error),
    );
  }

  #reconnectLater(error: unknown): void {
    if (this.#stopped) return;
    this.#logger.warn({ err: error }, "listening for changed credentials was interrupted");
    void this.#listener?.end().catch(() => undefined);
    this.#timer = setTimeout(() => {
      this.#connect().catch((again: unknown) => this.#reconnectLater(again));
    }, RECONNECT);
  }
}
