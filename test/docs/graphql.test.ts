import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { buildShop, buildStaff } from "../support/factories.ts";
import { askGraphql, logIn } from "../support/graphql.ts";
import { beside, useToolDirectory } from "../support/programs/tool-directory.ts";
import { codeOf } from "../support/staff/second-factor.ts";
import { useServer } from "../support/server.ts";

interface Request {
  name: string;
  document: string;
  variables: string;
}

const readPage = () => readFile(new URL("../../docs/graphql.md", import.meta.url), "utf8");

/** The requests of the page, in their order: a graphql block, and the json block after it where there is one. */
async function readRequests(): Promise<Request[]> {
  const page = await readPage();
  const pattern = /```graphql\n([\s\S]*?)```\n+(?:```json\n([\s\S]*?)```)?/g;
  return [...page.matchAll(pattern)].map(([, document = "", variables = "{}"]) => ({
    name: /^(?:query|mutation) (\w+)/.exec(document)![1]!,
    document,
    variables,
  }));
}

/** The values for angle brackets, from the answers before. */
function fillIn(text: string, known: Record<string, unknown>): Record<string, unknown> {
  const filled = text.replace(/<([\w.]+)>/g, (_, path: string) => {
    const value = path.split(".").reduce<unknown>((from, step) => (from as Record<string, unknown>)?.[step], known);
    expect(value, `<${path}>`).to.be.a("string");
    return value as string;
  });
  return JSON.parse(filled) as Record<string, unknown>;
}

describe("docs/graphql.md", () => {
  const server = useServer();
  const graphqlRequest = beside(import.meta.resolve("graphql-request"), "../..");
  const directory = useToolDirectory(server, { "graphql-request": graphqlRequest });

  it("contains requests that work in order", async () => {
    const shop = await buildShop(server.em);
    const { email, password } = await buildStaff(server.em, shop);
    const known: Record<string, unknown> = {
      shopId: shop.id,
      email,
      password,
      newPassword: `${password}-too`,
      get code() {
        return codeOf((this.beginSecondFactor as { secret: string }).secret);
      },
    };
    const requests = await readRequests();
    expect(requests.length).to.be.above(25);
    let headers: Record<string, string> = {};
    for (const { name, document, variables } of requests) {
      const { data, errors, headers: answered } = await askGraphql(server, document, fillIn(variables, known), headers);
      expect(errors, `${name}: ${JSON.stringify(errors)}`).to.deep.equal([]);
      for (const [field, value] of Object.entries(data as Record<string, unknown>)) {
        const results = Array.isArray(value) ? (value as { error: unknown }[]) : [];
        expect(
          results.map(({ error }) => error ?? null),
          name,
        ).to.deep.equal(results.map(() => null));
        known[field] = value;
      }
      const session = answered.getSetCookie().find((cookie) => cookie.startsWith("session="));
      if (session !== undefined) headers = { cookie: session.split(";")[0]! };
    }
  });

  it("contains a client that compiles and gets data", async () => {
    const shop = await buildShop(server.em, { name: "Harbour Goods" });
    const document = `mutation ($shopId: ID!) {
      createServiceToken(shopId: $shopId, input: { name: "Docs", permissions: [READ_PRODUCTS] }) { secret } }`;
    const session = await logIn(server, await buildStaff(server.em, shop));
    const { data } = await askGraphql(server, document, { shopId: shop.id }, session);
    const [, sample = ""] = /```ts\n([\s\S]*?)```/.exec(await readPage())!;
    const filledIn = sample
      .replace("http://127.0.0.1:4000", server.url)
      .replace("<token>", data.createServiceToken.secret)
      .replace("<shopId>", shop.id);
    await directory.write("sample.ts", filledIn);
    const compiled = await directory.compile("sample.ts");
    expect(compiled.code, compiled.output).to.equal(0);
    const { code, output } = await directory.run("sample.ts");
    expect(code, output).to.equal(0);
    expect(output).to.include("Harbour Goods");
  });
});
