import { expect } from "chai";
import { isEnumType, isIntrospectionType, isSpecifiedScalarType } from "graphql";
import { createSchema } from "../../src/core/schema.ts";
import { MAX_IDEMPOTENCY_KEY_LENGTH } from "../../src/core/idempotency/run-idempotent.ts";
import { MAX_LIMIT } from "../../src/core/model/page.ts";
import { MAX_BODY_BYTES } from "../../src/platform/http/request-body.ts";
import { MAX_REQUESTS_IN_FLIGHT } from "../../src/platform/overload/gate.ts";
import type { ApiDocument } from "../../src/reference/document.ts";
import { useServer } from "../support/server.ts";

const BASE = "https://api.shop.example";
/** Links elsewhere lead to these. */
const keptAnchors = (
  "Products Orders Customers Meta webhooks answering verification listProducts createProduct getProduct listOrders " +
  "getOrder listCustomers getCustomer getOpenApi order.created product.deleted customer.updated changelog"
).split(" ");

describe("The API reference over HTTP", () => {
  const server = useServer({ config: { baseUrl: BASE } });
  let document: ApiDocument;
  let page: string;

  const get = async (path: string) => {
    const response = await fetch(server.url + path);
    return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
  };

  before(async () => {
    document = JSON.parse((await get("/api/v1/openapi.json")).text) as ApiDocument;
    page = (await get("/docs")).text;
  });

  const idsOf = (markup: string) => [...markup.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!);

  describe("as a page", () => {
    it("has unique ids, keeps the earlier ones, and has no dead links", () => {
      const ids = idsOf(page);
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).to.deep.equal([]);
      expect(ids).to.include.members(keptAnchors);
      const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target!);
      expect(targets).to.have.length.above(100);
      expect(ids).to.include.members(targets);
    });

    it("has no inline script, style or handler", () => {
      expect(page).not.to.match(/<script(?![^>]+src=)|<style|\sstyle=|\son\w+=/);
    });

    it("has the chapters before the operations", () => {
      const titles = [...page.matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, title]) => title!);
      const chapters = ["Authentication", "Errors", "Pagination", "Idempotent requests", "Limits", "Versioning"];
      expect(titles.filter((title) => chapters.includes(title))).to.deep.equal(chapters);
      expect(titles.indexOf("Webhooks")).to.be.below(titles.indexOf("Products"));
    });

    it("links its Markdown and the OpenAPI document as alternates", () => {
      expect(page).to.match(/<link rel="alternate" type="text\/markdown" href="\/docs\.md"/);
      expect(page).to.match(/<link rel="alternate" type="application\/json" href="\/api\/v1\/openapi\.json"/);
    });

    it("sends at most 200 KB compressed for the first view", async () => {
      const files = [...page.matchAll(/(?:src|href)="(\/admin\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path!);
      const sizes = [...files, "/docs"].map(async (path) => {
        const response = await fetch(server.url + path, { method: "HEAD", headers: { "accept-encoding": "br" } });
        return Number(response.headers.get("content-length"));
      });
      const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      expect(total).to.be.above(10_000).and.below(200_000);
    });
  });

  describe("of the GraphQL schema", () => {
    let schemaPage: string;
    before(async () => void (schemaPage = (await get("/docs/graphql")).text));

    it("has a section for each operation and type, in one part, with every field, argument, value and description", async () => {
      const ids = idsOf(schemaPage);
      const markdown = (await get("/docs/graphql.md")).text;
      expect(ids.filter((id, index) => ids.indexOf(id) !== index)).to.deep.equal([]);
      const schema = createSchema();
      for (const type of Object.values(schema.getTypeMap())) {
        if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
        if (!["Query", "Mutation"].includes(type.name)) expect(ids).to.include(type.name);
        const members = isEnumType(type)
          ? type.getValues()
          : "getFields" in type
            ? Object.values(type.getFields())
            : [];
        for (const member of members) {
          const id = `${type.name}.${member.name}`;
          expect(ids).to.include(id);
          expect(markdown, id).to.include(member.description);
          const { args = [] } = member as { args?: readonly { name: string }[] };
          expect(ids).to.include.members(args.map(({ name }) => `${id}.${name}`));
        }
      }
    });

    it("names the parts by noun, and puts operations and types into theirs", () => {
      const parts = schemaPage.split('<section class="chapter" id="').slice(1);
      const partOf = (id: string) =>
        parts.find((part) => part.includes(`<section class="row" id="${id}"`))!.split('"')[0];
      for (const [id, part] of [
        ["Shop.variantByCode", "products"],
        ["UpdateVariantInput", "products"],
        ["Shop.lowStock", "stock"],
        ["Mutation.createOrder", "orders"],
        ["Mutation.grantStoreCredit", "customers"],
        ["Mutation.requestPasswordReset", "staff"],
        ["ApiKey", "credentials"],
        ["Mutation.replayDelivery", "webhooks"],
        ["Shop.requests", "logs"],
        ["Query.shop", "shop"],
        ["SortOrder", "shared-types"],
      ]) {
        expect(partOf(id!), id).to.equal(part);
      }
    });

    it("has no dead links and nothing inline, and sends at most 200 KB", async () => {
      const targets = [...schemaPage.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target!);
      expect(targets).to.have.length.above(400);
      expect(idsOf(schemaPage)).to.include.members(targets);
      expect(schemaPage).not.to.match(/<script(?![^>]+src=)|<style|\sstyle=|\son\w+=/);
      const { headers } = await fetch(`${server.url}/docs/graphql`, { headers: { "accept-encoding": "br" } });
      expect(Number(headers.get("content-length")))
        .to.be.above(10_000)
        .and.below(100_000);
    });
  });

  describe("about errors and limits", () => {
    it("explains each error and code", async () => {
      const { text } = await get("/docs/errors.md");
      const links = [...page.matchAll(/<a href="#([^"]*)"\s*>\s*<b class="status bad">/g)].map(([, id]) => id!);
      expect(links).to.have.length.above(60);
      expect(links.filter((id) => !/^\d{3}-/.test(id))).to.deep.equal([]);
      for (const code of ["required", "too_small", "too_big", "unknown_field", "repeated", "idempotency_key_reused"]) {
        expect(text).to.include(`- \`${code}\`: `);
        expect(idsOf(page)).to.include(`code-${code}`);
      }
    });

    it("states the limits that the service enforces", async () => {
      const { text } = await get("/docs/limits.md");
      expect(text)
        .to.include(`${MAX_REQUESTS_IN_FLIGHT} requests in flight`)
        .and.to.include(`${MAX_BODY_BYTES / 1024} KiB`)
        .and.to.include(`| records on a page | ${MAX_LIMIT} |`)
        .and.to.include(`| characters of an \`Idempotency-Key\` | ${MAX_IDEMPOTENCY_KEY_LENGTH} |`)
        .and.to.include("Retry-After: 1");
    });
  });

  describe("as Markdown", () => {
    it("is listed in /llms.txt, whose links all work", async () => {
      const { type, text } = await get("/llms.txt");
      expect(type).to.equal("text/plain; charset=utf-8");
      expect(text).to.match(/^# Merchant API\n\n> Read the products/);
      const links = [...text.matchAll(/\]\(https:\/\/api\.shop\.example([^)]+)\)/g)].map(([, path]) => path!);
      expect(links).to.include.members([
        "/docs/products.md",
        "/docs/errors.md",
        "/docs/webhooks.md",
        "/docs/changelog.md",
        "/docs.md",
      ]);
      for (const path of links) {
        const answer = await get(path);
        expect(answer.status, path).to.equal(200);
        if (path.endsWith(".md")) expect(answer.type, path).to.equal("text/markdown; charset=utf-8");
      }
    });

    it("describes every operation and topic", async () => {
      const { text } = await get("/docs.md");
      for (const [path, methods] of Object.entries(document.paths)) {
        for (const [method, { summary }] of Object.entries(methods)) {
          expect(text).to.include(`## ${summary}\n\n\`${method.toUpperCase()} ${path}\``);
        }
      }
      for (const topic of Object.keys(document["x-webhooks"])) expect(text).to.include(`## ${topic}\n`);
      const products = (await get("/docs/products.md")).text;
      expect(products)
        .to.include("- `limit` (integer): The number of records per page.")
        .and.to.include("- `title` (string, required): ")
        .and.to.include("    - `barcode` (string)")
        .and.to.include("- 503 Too many requests at once");
    });

    it("links to the page, and not to files of the repository", async () => {
      const { text } = await get("/docs.md");
      const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href]) => href!);
      expect(links).to.include(`${BASE}/docs#limits`);
      const ids = idsOf(page);
      for (const href of links) {
        expect(href).to.match(/^https?:/);
        const [address, anchor] = href.split("#");
        if (address === `${BASE}/docs`) expect(ids, href).to.include(anchor);
      }
    });

    it("has no other pages or methods", async () => {
      for (const path of ["/docs/nothing.md", "/docs/products", "/docs/../package.json", "/llms.txt/"]) {
        expect((await get(path)).status, path).to.equal(404);
      }
      expect((await fetch(`${server.url}/docs.md`, { method: "POST" })).status).to.equal(404);
    });
  });
});
