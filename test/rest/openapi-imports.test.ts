import { expect } from "chai";
import { call, type Answer } from "../support/client.ts";
import { buildProduct } from "../support/factories.ts";
import { beside, useToolDirectory } from "../support/programs/tool-directory.ts";
import { useServer } from "../support/server.ts";
import { useKey } from "../support/shops/use-shop.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- what a tool has made of the document
type Json = any;

/** A request of a collection, with what its tool sends unless somebody changes it. */
interface ImportedRequest {
  method: string;
  /** With the names of parameters in place of those in the path, such as `:shopId`. */
  path: string;
  query: [name: string, value: string][];
  headers: [name: string, value: string][];
  body: string | undefined;
}

interface Tool {
  /** Imports `openapi.json` into a collection in `collection.json`. */
  command: [file: string, ...parameters: string[]];
  requestsOf: (collection: Json) => Map<string, ImportedRequest>;
}

const bruno = `
import converters from ${JSON.stringify(import.meta.resolve("@usebruno/converters"))};
import { readFile, writeFile } from "node:fs/promises";
const document = JSON.parse(await readFile("openapi.json", "utf8"));
await writeFile("collection.json", JSON.stringify(await converters.openApiToBruno(document)));
`;
const postman = beside(import.meta.resolve("openapi-to-postmanv2"), "../bin/openapi2postmanv2.js");
const postmanOptions = "enableOptionalParameters=false,parametersResolution=Example";

const tools: Record<string, Tool> = {
  Bruno: { command: ["bruno.js"], requestsOf: ({ items }) => readBruno(items) },
  // By default Postman sends optional parameters whatever the document says of them, with placeholders to be filled in.
  "Postman, without optional parameters": {
    command: [postman, "-s", "openapi.json", "-o", "collection.json", "-O", postmanOptions],
    requestsOf: ({ item }) => readPostman(item),
  },
};

for (const [name, { command, requestsOf }] of Object.entries(tools)) {
  describe(`The OpenAPI document imported into ${name}`, function () {
    this.timeout(60_000);
    const server = useServer();
    const { write, read, run } = useToolDirectory(server, {});
    let requests: Map<string, ImportedRequest>;
    const { shop, auth } = useKey(server);

    before(async () => {
      await write("bruno.js", bruno);
      const { code, output } = await run(...command);
      expect(code, output).to.equal(0);
      requests = requestsOf(JSON.parse(await read("collection.json")));
    });

    /** Sends a request as it was imported, with the shop and the key filled in, and the body if it is given. */
    function send(title: string, body = requests.get(title)!.body): Promise<Answer> {
      const { method, path, query, headers } = requests.get(title)!;
      const target = path.replace(":shopId", shop.id);
      const search = query.length > 0 ? `?${new URLSearchParams(query)}` : "";
      return call(server, method, target + search, { ...auth, headers: Object.fromEntries(headers), body });
    }

    it("requests whole lists", async () => {
      for (const title of ["Slate Mug", "Oak Tray"]) await buildProduct(server.em, shop, { title });
      for (const resource of ["products", "orders", "customers"]) {
        const { status, json, text } = await send(`List ${resource}`);
        expect(status, text).to.equal(200);
        expect(json.pagination, resource).to.include({ page: 1, total: resource === "products" ? 2 : 0 });
      }
    });

    it("creates a new product with each request", async () => {
      const { body } = requests.get("Create a product")!;
      const created = [await send("Create a product"), await send("Create a product")];
      created.push(await send("Create a product", JSON.stringify({ ...JSON.parse(body!), title: "Oak Tray" })));
      const ids = created.map(({ status, json, text }) => {
        expect(status, text).to.equal(201);
        return json.product.id as string;
      });
      expect(new Set(ids)).to.have.property("size", 3);
    });

    it("sends no optional parameter without a default", () => {
      const sent = [...requests.values()].flatMap(({ query, headers }) => [...query, ...headers]);
      const names = new Set(sent.filter(([, value]) => value !== "50").map(([parameter]) => parameter));
      expect(requests).to.have.property("size", 8);
      expect([...names].filter((parameter) => !["accept", "content-type"].includes(parameter))).to.deep.equal([]);
    });
  });
}

function readBruno(items: Json[]): Map<string, ImportedRequest> {
  const requests = items.flatMap((item): [string, ImportedRequest][] => {
    if (item.type === "folder") return [...readBruno(item.items)];
    const { method, url, params, headers, body } = item.request;
    const sent = (parameters: Json[]) =>
      parameters
        .filter(({ enabled }) => enabled)
        .map(({ name, value }): [string, string] => [name.toLowerCase(), value]);
    const query = sent(params.filter(({ type }: Json) => type === "query"));
    const path = url.replace("{{baseUrl}}/api/v1", "");
    const text = body.mode === "json" ? body.json : undefined;
    return [[item.name, { method, path, query, headers: sent(headers), body: text }]];
  });
  return new Map(requests);
}

function readPostman(items: Json[]): Map<string, ImportedRequest> {
  const requests = items.flatMap(({ name, item, request }): [string, ImportedRequest][] => {
    if (item) return [...readPostman(item)];
    const { method, url, header, body } = request;
    const sent = (parameters: Json[]) =>
      parameters
        .filter(({ disabled }) => !disabled)
        .map(({ key, value }): [string, string] => [key.toLowerCase(), value]);
    const path = `/${url.path.slice(2).join("/")}`;
    return [[name, { method, path, query: sent(url.query), headers: sent(header), body: body?.raw }]];
  });
  return new Map(requests);
}
