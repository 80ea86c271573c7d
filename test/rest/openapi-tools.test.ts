import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { call } from "../support/client.ts";
import { beside, useToolDirectory } from "../support/programs/tool-directory.ts";
import { useServer } from "../support/server.ts";
import { useWorld } from "../support/world.ts";

const redocly = beside(import.meta.resolve("@redocly/cli/package.json"), "bin/cli.js");
const generator = beside(import.meta.resolve("openapi-typescript"), "../bin/cli.js");
const postman = beside(import.meta.resolve("openapi-to-postmanv2"), "../bin/openapi2postmanv2.js");

/**
 * Gives openapi-typescript the compiler of oazapfts, which is installed for it: TypeScript 7 has no API to print by.
 * https://github.com/openapi-ts/openapi-typescript/issues/2841
 */
const olderCompiler = `
import { registerHooks } from "node:module";
const parentURL = ${JSON.stringify(import.meta.resolve("oazapfts"))};
registerHooks({
  resolve: (name, context, next) => next(name, name === "typescript" ? { ...context, parentURL } : context),
});
`;

describe("The OpenAPI document", () => {
  const server = useServer();
  const directory = useToolDirectory(server, { "openapi-fetch": beside(import.meta.resolve("openapi-fetch"), "..") });
  const world = useWorld(server);
  const { shop } = world;

  async function run(...command: [file: string, ...parameters: string[]]): Promise<string> {
    const { code, output } = await directory.run(...command);
    expect(code, output).to.equal(0);
    return output;
  }

  async function compile(name: string): Promise<void> {
    const { code, output } = await directory.compile(name);
    expect(code, output).to.equal(0);
  }

  describe("checked by Redocly", () => {
    const lint = (file: string) => directory.run(redocly, "lint", file, "--extends", "recommended");

    it("follows the recommended rules", async () => {
      const { code, output } = await lint("openapi.json");
      expect(code, output).to.equal(0);
    });

    it("breaks them with a mistake", async () => {
      const { text } = await call(server, "GET", "/openapi.json");
      const wrong = text.replace('"#/components/schemas/ProductList"', '"#/components/schemas/Nothing"');
      await directory.write("wrong.json", wrong);
      expect((await lint("wrong.json")).code).not.to.equal(0);
    });
  });

  describe("as types for openapi-fetch", () => {
    before("generate them", async () => {
      await directory.write("older-compiler.js", olderCompiler);
      await run("--import", "./older-compiler.js", generator, "openapi.json", "-o", "api.ts");
    });

    it("types requests and responses, and matches at run time", async () => {
      await directory.write("usage.ts", usage);
      await compile("usage.ts");
      const { useClient } = await directory.load<{ useClient: (...parameters: string[]) => Promise<unknown> }>(
        "usage.ts",
      );
      expect(await useClient(server.url, await world.key(), shop.id)).to.deep.equal({
        handle: "stoneware-mug",
        barcode: "",
        total: 1,
        refusal: "price",
        unknown: "Order not found",
      });
    });

    it("works in the client of docs/api.md", async () => {
      const [, sample = ""] = /```ts\n([\s\S]*?)```/.exec(await readFile("docs/api.md", "utf8"))!;
      const filledIn = sample
        .replace("http://127.0.0.1:4000", server.url)
        .replace("<key>", await world.key())
        .replace("<shopId>", shop.id);
      await directory.write("sample.ts", filledIn);
      await compile("sample.ts");
      expect(await run("sample.ts")).to.equal("stoneware-plate\n");
    });
  });

  it("becomes requests in Postman that work unchanged, without optional parameters", async () => {
    // By default Postman sends optional parameters whatever the document says of them, with placeholders to be filled in.
    const options = "enableOptionalParameters=false,parametersResolution=Example";
    await run(postman, "-s", "openapi.json", "-o", "collection.json", "-O", options);
    const requests = readPostman(JSON.parse(await directory.read("collection.json")).item);
    expect(requests).to.have.length(8);
    for (const { name, method, path, query, headers, body } of requests) {
      expect({ ...query, limit: "50" }, name).to.deep.equal({ limit: "50" });
      expect(["accept", "content-type"], name).to.include.members(Object.keys(headers));
      const target = `${path.replace(":shopId", shop.id)}?${new URLSearchParams(query)}`;
      // The examples of identifiers name records that the shop does not have.
      const expected = path.includes("Id", ":shopId".length + 1) ? 404 : method === "POST" ? 201 : 200;
      for (const _ of [1, 2]) {
        expect((await call(server, method, target, { key: await world.key(), headers, body })).status, name).to.equal(
          expected,
        );
      }
    }
    expect((await world.call("GET", "/products")).json.pagination.total).to.equal(2);
  });
});

interface ImportedRequest {
  name: string;
  method: string;
  /** With the names of parameters in place of those in the path, such as `:shopId`. */
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: string | undefined;
}

// oxlint-disable-next-line typescript/no-explicit-any -- what a tool has made of the document
function readPostman(items: any[]): ImportedRequest[] {
  const sent = (parameters: { key: string; value: string; disabled?: boolean }[]) =>
    Object.fromEntries(
      parameters.filter(({ disabled }) => !disabled).map(({ key, value }) => [key.toLowerCase(), value]),
    );
  return items.flatMap(({ name, item, request }) => {
    if (item) return readPostman(item);
    const { method, url, header, body } = request;
    const path = `/${url.path.slice(2).join("/")}`;
    return [{ name, method, path, query: sent(url.query), headers: sent(header), body: body?.raw }];
  });
}

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
  const barcode: string = listed.data.products[0]!.variants[0]!.barcode;

  const productPath = { shopId, productId: created.data.product.id };
  const single = await client.GET("/api/v1/{shopId}/products/{productId}", { params: { path: productPath } });
  if (!single.data) throw new Error(single.error.error);
  const description: string | null = single.data.product.description;
  if (description !== null) throw new Error("described");

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
    // @ts-expect-error an amount is a number
    void client.POST("/api/v1/{shopId}/products", { params: { path }, body: { title: "Oak Tray", price: "28" } });
    // @ts-expect-error there is no such status
    void client.GET("/api/v1/{shopId}/products", { params: { path, query: { status: "GONE" } } });
    // @ts-expect-error orders cannot be searched
    void client.GET("/api/v1/{shopId}/orders", { params: { path, query: { search: "1042" } } });
    // @ts-expect-error an answer to a create has no variants
    created.data.product.variants;
    // @ts-expect-error a single product has no barcodes
    single.data.product.variants[0]!.barcode;
    // @ts-expect-error a walk-in sale has no customer
    order.data!.order.customer.email;
    // @ts-expect-error a single order calls it totalAmount
    order.data!.order.total;
  };
  void mistakes;
  return { handle, barcode, total, refusal, unknown: order.error?.error };
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
