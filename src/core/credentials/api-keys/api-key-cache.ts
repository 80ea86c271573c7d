import { sql, type Kysely, type SqlBool } from "kysely";
import { LRUCache } from "lru-cache";
import { prepared } from "../../queries/database.ts";
import type { Database } from "../../model/tables.ts";
import { matchNetworks } from "../../../platform/networks.ts";
import { addRequestFacts } from "../../../platform/telemetry/request-facts.ts";
import { SimulatedFailure } from "../../model/credentials/api-key.entity.ts";
import { AppError, SERVICE_UNAVAILABLE } from "../../model/errors.ts";
import { scopeFor } from "../../access/permissions.ts";
import { Permission, type Caller } from "../../model/permissions.ts";
import { selectShop } from "../../model/shops/current-shop.ts";
import { CREDENTIAL_IS_ACTIVE } from "../../model/credentials/credential.ts";
import { digestText } from "../secret.ts";
import type { LastUsedWriter } from "../last-used-writer.sql.ts";

/**
 * The lifetime of a cached answer, in milliseconds. Every process must see a change to a key or plan within a second; the
 * remainder is for a request under way.
 */
const LIFETIME = 900;
const MAX_ENTRIES = 10_000;

interface Entry {
  caller: Caller;
  shopId: string;
}

/** Finds the caller of an API key. Results, also for unknown keys, are cached for 0.9 s. */
export class ApiKeyCache {
  readonly #database: Kysely<Database>;
  readonly #uses: LastUsedWriter;
  /** Results by the key's digest. Undefined for unknown keys. */
  readonly #entries = new LRUCache<string, Promise<Entry | undefined>>({ max: MAX_ENTRIES, ttl: LIFETIME });

  constructor(options: { database: Kysely<Database>; uses: LastUsedWriter }) {
    this.#database = options.database;
    this.#uses = options.uses;
  }

  /** The caller of this key. Undefined if it is unknown, revoked or expired. */
  async findCaller(secret: string): Promise<Caller | undefined> {
    const digest = digestText(secret);
    let asked = this.#entries.get(digest);
    if (!asked) {
      // The lifetime starts with the query and may end before its result. Requests in between share the result.
      asked = this.#load(Buffer.from(digest, "latin1"));
      this.#entries.set(digest, asked);
      asked.catch(() => this.#entries.delete(digest));
    }
    const entry = await asked;
    if (!entry) return undefined;
    this.#uses.record("api_keys", entry.shopId, entry.caller.id);
    return entry.caller;
  }

  /** Takes a simulated failure, if no process took the last one. @throws AppError UNAVAILABLE, if that is its kind */
  async takeFailure({ id, memberships }: Caller): Promise<void> {
    const [shopId] = memberships.keys();
    const taken = await this.#database
      .updateTable("api_keys")
      .set((to) => ({ failures_left: to("failures_left", "-", 1) }))
      .where("shop_id", "=", shopId!)
      .where("id", "=", id)
      .where("failures_left", ">", 0)
      .returning("failure_kind as kind")
      .executeTakeFirst();
    if (taken?.kind === SimulatedFailure.UNAVAILABLE) {
      throw new AppError("UNAVAILABLE", SERVICE_UNAVAILABLE, { hint: "Simulated for this API key. Retry shortly." });
    }
    if (taken?.kind) addRequestFacts({ lostAnswer: taken.kind });
  }

  async #load(digest: Buffer): Promise<Entry | undefined> {
    const [row] = await prepared(this.#database, "find API key", { digest }, (given) =>
      this.#database
        .selectFrom("api_keys as key")
        .innerJoin("shops", "shops.id", "key.shop_id")
        .select(["key.id as keyId", "key.name as keyName", "scopes", "allowed_addresses", "failures_left"])
        .select(selectShop)
        .where("digest", "=", given.digest)
        .where(sql.raw<SqlBool>(CREDENTIAL_IS_ACTIVE)),
    );
    if (!row) return undefined;
    const { keyId, keyName, scopes, allowed_addresses: allowed, failures_left: failures, ...shop } = row;
    const granted = Object.values(Permission).filter((permission) => {
      const scope = scopeFor(permission);
      return scope !== undefined && scopes.includes(scope);
    });
    const membership = { shop, permissions: new Set(granted) };
    const caller: Caller = { kind: "apiKey", id: keyId, name: keyName, memberships: new Map([[shop.id, membership]]) };
    if (allowed.length > 0) caller.allowsAddress = matchNetworks(allowed);
    if (failures > 0) caller.hasFailures = true;
    return { caller, shopId: shop.id };
  }
}
