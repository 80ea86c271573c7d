import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import { call } from "../support/client.ts";
import { buildKey, buildShop, importProduct } from "../support/factories.ts";
import { useServer } from "../support/server.ts";

/** A file beside the one that a package's name stands for. */
const beside = (resolved: string, path: string) => fileURLToPath(new URL(path, resolved));
const tools = {
  spectral: beside(import.meta.resolve("@stoplight/spectral-cli/package.json"), "dist/index.js"),
  redocly: beside(import.meta.resolve("@redocly/cli/package.json"), "bin/cli.js"),
  oazapfts: beside(import.meta.resolve("oazapfts"), "cli.js"),
  tsc: beside(import.meta.resolve("typescript/package.json"), "bin/tsc"),
};

describe("The OpenAPI document in the hands of other tools", function () {
  this.timeout(60_000);
  const server = useServer();
  let directory: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "merchant-api-openapi-"));
    // All that the generated client needs beside itself.
    const runtime = join(directory, "node_modules/@oazapfts/runtime");
    await mkdir(dirname(runtime), { recursive: true });
    await symlink(beside(import.meta.resolve("@oazapfts/runtime"), "."), runtime, "junction");
    await write("package.json", '{"type":"module"}');
    await write(".spectral.yaml", 'extends: ["spectral:oas"]\n');
    await write("openapi.json", (await call(server, "GET", "/openapi.json")).text);
  });

  after(() => rm(directory, { recursive: true, force: true }));

  function write(name: string, text: string): Promise<void> {
    return writeFile(join(directory, name), text);
  }

  /** What the tool says, and whether it is content. */
  async function run(tool: keyof typeof tools, ...parameters: string[]): Promise<{ code: number; output: string }> {
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    try {
      const command = [tools[tool], ...parameters];
      const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { cwd: directory, env });
      return { code: 0, output: stdout + stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, output: stdout + stderr };
    }
  }

  const linters = {
    "Spectral's OpenAPI rules": (file: string) => run("spectral", "lint", file),
    "Redocly's recommended rules": (file: string) => run("redocly", "lint", file, "--extends", "recommended"),
  };
  for (const [name, lint] of Object.entries(linters)) {
    it(`lints without error under ${name}`, async () => {
      const { code, output } = await lint("openapi.json");
      expect(code, output).to.equal(0);
    });

    it(`would not lint under ${name} with a mistake in it`, async () => {
      const { text } = await call(server, "GET", "/openapi.json");
      await write("wrong.json", text.replace('"#/components/schemas/ProductList"', '"#/components/schemas/Nothing"'));
      expect((await lint("wrong.json")).code).not.to.equal(0);
    });
  }

  it("makes a typed client that compiles under strict and works", async () => {
    const generated = await run("oazapfts", "openapi.json", "client.ts");
    expect(generated.code, generated.output).to.equal(0);
    await write("usage.ts", usage);
    const strict = ["--strict", "--noUncheckedIndexedAccess", "--noEmit", "--target", "es2022", "--types", ""];
    const resolution = ["--module", "nodenext", "--allowImportingTsExtensions", "--lib", "es2022,dom"];
    const compiled = await run("tsc", ...strict, ...resolution, "usage.ts");
    expect(compiled.code, compiled.output).to.equal(0);

    const shop = await buildShop(server.em);
    const key = await buildKey(server.em, shop);
    await importProduct(server.em, shop, { title: "Mug", variants: [{ barcode: "4006381333931", price: "14.5" }] });
    const { useClient } = (await import(pathToFileURL(join(directory, "usage.ts")).href)) as {
      useClient: (...parameters: string[]) => Promise<unknown>;
    };
    expect(await useClient(server.url, key, shop.id)).to.deep.equal({
      barcode: "4006381333931",
      revenue: 14.5,
      total: 1,
      handles: ["oak-tray", "oak-tray"],
      refusal: "price",
      unknown: "Order not found",
      customers: [],
    });
  });
});

/** What a merchant's developer may write. The compiler has to see through every answer, and every mistake. */
const usage = `
import * as api from "./client.ts";

export async function useClient(baseUrl: string, key: string, shopId: string) {
  api.defaults.baseUrl = baseUrl;
  api.defaults.headers = { authorization: "Bearer " + key };

  const listed = await api.listProducts(shopId, { search: "mug", status: "ACTIVE", limit: 10 });
  if (listed.status !== 200) throw new Error("not listed");
  const total: number = listed.data.pagination.total;
  const variant = listed.data.products[0]!.variants[0]!;
  const barcode: string = variant.barcode;
  const revenue: number = variant.price * 1;

  const handles: string[] = [];
  for (const _ of [1, 2]) {
    const created = await api.createProduct(shopId, { title: "Oak Tray", price: 28 }, { idempotencyKey: "tray" });
    if (created.status !== 201) throw new Error("not created");
    handles.push(created.data.product.handle);
    const single = await api.getProduct(shopId, created.data.product.id);
    if (single.status !== 200) throw new Error("not found");
    const description: string | null = single.data.product.description;
    if (description !== null) throw new Error("described");
    // @ts-expect-error a single product has no barcodes
    single.data.product.variants[0]!.barcode;
    // @ts-expect-error an answer to a create has no variants
    created.data.product.variants;
  }

  const refused = await api.createProduct(shopId, { title: "Oak Tray", price: -1 });
  const refusal = refused.status === 400 ? refused.data.details?.[0]?.path : undefined;
  const order = await api.getOrder(shopId, "unknown");
  const unknown = order.status === 404 ? order.data.error : undefined;
  const customers = await api.listCustomers(shopId);
  if (customers.status !== 200) throw new Error("not listed");

  const mistakes = () => {
    // @ts-expect-error a product needs a price
    void api.createProduct(shopId, { title: "Oak Tray" });
    // @ts-expect-error an amount is a number
    void api.createProduct(shopId, { title: "Oak Tray", price: "28" });
    // @ts-expect-error there is no such status
    void api.listProducts(shopId, { status: "GONE" });
    // @ts-expect-error orders cannot be searched
    void api.listOrders(shopId, { search: "1042" });
    if (order.status === 200) {
      // @ts-expect-error a walk-in sale has no customer
      order.data.order.customer.email;
      // @ts-expect-error a single order calls it totalAmount
      order.data.order.total;
    }
  };
  void mistakes;
  return { barcode, revenue, total, handles, refusal, unknown, customers: customers.data.customers };
}
`;
