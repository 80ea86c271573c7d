import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { buildKey, buildShop } from "../support/factories.ts";
import { useServer } from "../support/server.ts";
import { beside, useToolDirectory } from "../support/programs/tool-directory.ts";

const generator = beside(import.meta.resolve("openapi-typescript"), "../bin/cli.js");

/**
 * Gives openapi-typescript the compiler that oazapfts brings along: TypeScript 7 has no API for it to print by.
 * https://github.com/openapi-ts/openapi-typescript/issues/2841
 */
const olderCompiler = `
import { registerHooks } from "node:module";
const parentURL = ${JSON.stringify(import.meta.resolve("oazapfts"))};
registerHooks({
  resolve: (name, context, next) => next(name, name === "typescript" ? { ...context, parentURL } : context),
});
`;

describe("Types from openapi-typescript, used by openapi-fetch", function () {
  this.timeout(60_000);
  const server = useServer();
  const client = beside(import.meta.resolve("openapi-fetch"), "..");
  const directory = useToolDirectory(server, { "openapi-fetch": client });

  before(async () => {
    await directory.write("older-compiler.js", olderCompiler);
    const preload = ["--import", "./older-compiler.js"] as const;
    const generated = await directory.run(...preload, generator, "openapi.json", "-o", "api.ts");
    expect(generated.code, generated.output).to.equal(0);
    await directory.write("usage.ts", usage);
  });

  it("compile in strict mode with only required fields", async () => {
    const { code, output } = await directory.compile("usage.ts");
    expect(code, output).to.equal(0);
  });

  it("match at run time", async () => {
    const shop = await buildShop(server.em);
    const key = await buildKey(server.em, shop);
    const { useClient } = await directory.load<{ useClient: (...parameters: string[]) => Promise<unknown> }>(
      "usage.ts",
    );
    expect(await useClient(server.url, key, shop.id)).to.deep.equal({
      handle: "stoneware-mug",
      total: 1,
      refusal: "price",
      unknown: "Order not found",
    });
  });

  it("work in the client of docs/api.md", async () => {
    const shop = await buildShop(server.em);
    const [, sample = ""] = /```ts\n([\s\S]*?)```/.exec(await readFile("docs/api.md", "utf8"))!;
    const filledIn = sample
      .replace("http://127.0.0.1:4000", server.url)
      .replace("<key>", await buildKey(server.em, shop))
      .replace("<shopId>", shop.id);
    await directory.write("sample.ts", filledIn);
    const compiled = await directory.compile("sample.ts");
    expect(compiled.code, compiled.output).to.equal(0);
    expect((await directory.run("sample.ts")).output).to.equal("stoneware-plate\n");
  });
});

/** Code of a merchant's developer. The compiler must check every response, and detect every mistake. */
const usage = `
import createClient from "openapi-fetch";
import type { components, paths } from "./api.ts";

export async function useClient(baseUrl: string, key: string, shopId: string) {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: "Bearer " + key } });
  const path = { shopId };

  const created = await client.POST("/api/v1/{shopId}/products", {
    params: { path, header: { "Idempotency-Key": "mug-1" } },
    body: { title: "Stoneware Mug", price: 14.5 },
  });
  if (!created.data) throw new Error(created.error.error);
  const handle: string = created.data.product.handle;

  const listed = await client.GET("/api/v1/{shopId}/products", { params: { path, query: { search: "mug" } } });
  if (!listed.data) throw new Error(listed.error.error);
  const total: number = listed.data.pagination.total;

  const refused = await client.POST("/api/v1/{shopId}/products", {
    params: { path },
    body: { title: "Stoneware Mug", price: -1, status: "DRAFT", sku: "MUG-1", inventoryQuantity: 4 },
  });
  const refusal = refused.error?.details?.[0]?.path;
  const order = await client.GET("/api/v1/{shopId}/orders/{orderId}", {
    params: { path: { shopId, orderId: "unknown" } },
  });

  const mistakes = () => {
    // @ts-expect-error a product needs a price
    void client.POST("/api/v1/{shopId}/products", { params: { path }, body: { title: "Oak Tray" } });
    // @ts-expect-error there is no such status
    void client.GET("/api/v1/{shopId}/products", { params: { path, query: { status: "GONE" } } });
    // @ts-expect-error an answer to a create has no variants
    created.data.product.variants;
  };
  void mistakes;
  return { handle, total, refusal, unknown: order.error?.error };
}

/** Narrows a delivery by its topic. */
export function describeEvent(event: components["schemas"]["WebhookEvent"]): string | number {
  switch (event.topic) {
    case "order.refunded":
      return event.data.amount;
    case "product.deleted":
      return event.data.productId;
    case "customer.created":
    case "customer.updated":
      return event.data.customerId;
    default:
      // @ts-expect-error product.created has no customer
      return event.data.customerId;
  }
}
`;
