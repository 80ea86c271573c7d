import { expect } from "chai";
import { afterEach, before, beforeEach } from "mocha";
import { operator } from "../../../src/core/access/actor.ts";
import { createWebhookEndpoint } from "../../../src/core/webhooks/endpoints/endpoints.ts";
import type { Route } from "../../../src/rest/route.ts";
import { buildTenant, type Tenant } from "../shops/access.ts";
import type { Answer } from "../client.ts";
import { buildKey } from "../factories.ts";
import { countRows, expectGrowth, type RowCounts } from "../properties/holds.ts";
import { callRaw } from "./raw.ts";
import type { TestServer } from "../server.ts";

export const JSON_TYPE: [string, string] = ["Content-Type", "application/json"];

/** A client with every scope in a shop with a webhook endpoint. It records what its requests may store. */
export class Merchant {
  tenant!: Tenant;
  key!: string;
  /** The number of answers with 201. */
  created = 0;
  /** Idempotency keys that were accepted, and so stored. */
  readonly idempotencyKeys = new Set<string>();
  readonly #server: TestServer;

  constructor(server: TestServer) {
    this.#server = server;
  }

  /** A path to an existing resource. */
  pathOf(route: Route): string {
    const id = this.tenant.ids[route.resource as keyof Tenant["ids"]] ?? "";
    return `/${this.tenant.shop.id}${route.path.replace(/\{\w+\}/, id)}`;
  }

  /** Records what the answer says was stored. Bad input must never cause a server error. */
  note(answer: Answer): Answer {
    expect(answer.status, answer.text).to.be.below(500);
    if (answer.status === 201) this.created += 1;
    return answer;
  }

  async send(method: string, path: string, headers: [string, string][], text?: string | Buffer): Promise<Answer> {
    const all: [string, string][] = [["Authorization", `Bearer ${this.key}`], ...headers];
    // As bytes: with a text body, Node's client sends headers as UTF-8 instead of latin1.
    const body = text === undefined ? undefined : Buffer.from(text as string);
    return this.note(await callRaw(this.#server, method, path, { headers: all, body }));
  }

  /** Requests a new product with any body. */
  async post(body: string | Buffer, headers: [string, string][] = []): Promise<Answer> {
    return this.send("POST", `/${this.tenant.shop.id}/products`, [JSON_TYPE, ...headers], body);
  }
}

/**
 * Registers hooks that create a merchant, and check after each test that only requests answered with 201 stored
 * something.
 */
export function useMerchant(server: TestServer): Merchant {
  const merchant = new Merchant(server);
  let rowsBefore: RowCounts;

  before("make a merchant", async () => {
    merchant.tenant = await buildTenant(server.em);
    const { shop } = merchant.tenant;
    merchant.key = await buildKey(server.em, shop);
    const { encryption } = server.app.core;
    const endpoint = { url: "https://hooks.example.com/", topics: ["product.created" as const] };
    await createWebhookEndpoint(
      { em: server.em, shop, actor: operator },
      { encryption, webhooksAllowLoopback: false },
      endpoint,
    );
  });

  beforeEach(async () => {
    rowsBefore = await countRows(server);
    merchant.created = 0;
    merchant.idempotencyKeys.clear();
  });

  afterEach("what was not answered with 201 stored nothing", async () => {
    await expectGrowth(server, rowsBefore, { created: merchant.created, keys: merchant.idempotencyKeys.size });
  });

  return merchant;
}
