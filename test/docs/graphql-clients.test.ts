import { readFile } from "node:fs/promises";
import { cacheExchange, Client, fetchExchange, gql } from "@urql/core";
import { expect } from "chai";
import { askGraphql, logIn } from "../support/graphql.ts";
import { useServer } from "../support/server.ts";
import { useShop } from "../support/shops/use-shop.ts";
import { beside, useToolDirectory } from "../support/programs/tool-directory.ts";

/** The samples of the page, by the package that they are about. */
async function readSamples(): Promise<Map<string, string>> {
  const page = await readFile(new URL("../../docs/graphql.md", import.meta.url), "utf8");
  const samples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, sample = ""]) => sample);
  return new Map(samples.map((sample) => [/ from "(.+)";/.exec(sample)![1]!, sample]));
}

describe("A client of /graphql from docs/graphql.md", function () {
  this.timeout(60_000);
  const server = useServer();
  const directory = useToolDirectory(server, {
    "graphql-request": beside(import.meta.resolve("graphql-request"), "../.."),
    "@urql/core": beside(import.meta.resolve("@urql/core/package.json"), "."),
    "@apollo/client": beside(import.meta.resolve("@apollo/client/package.json"), "."),
  });
  const { shop, staff } = useShop(server, { name: "Harbour Goods" });

  async function createToken(): Promise<string> {
    const document = `mutation ($shopId: ID!) {
      createServiceToken(shopId: $shopId, input: { name: "Docs", permissions: [READ_PRODUCTS] }) { secret } }`;
    const { data } = await askGraphql(server, document, { shopId: shop.id }, await logIn(server, staff));
    return data.createServiceToken.secret;
  }

  for (const name of ["graphql-request", "@urql/core", "@apollo/client"]) {
    it(`compiles and gets data with ${name}`, async () => {
      const sample = (await readSamples()).get(name)!;
      const filledIn = sample
        .replace("http://127.0.0.1:4000", server.url)
        .replace("<token>", await createToken())
        .replace("<shopId>", shop.id);
      await directory.write("sample.ts", filledIn);
      const compiled = await directory.compile("sample.ts");
      expect(compiled.code, compiled.output).to.equal(0);
      const { code, output } = await directory.run("sample.ts");
      expect(code, output).to.equal(0);
      expect(output).to.include("Harbour Goods");
    });
  }

  it("works with urql and a session, by GET with an extra header or by POST", async () => {
    const session = await logIn(server, staff);
    const ask = (headers: Record<string, string>, preferGetMethod?: false) =>
      new Client({
        url: `${server.url}/graphql`,
        exchanges: [cacheExchange, fetchExchange],
        fetchOptions: { headers: { ...session, ...headers } },
        preferGetMethod,
      }).query<{ viewer: { id: string } }>(gql("{ viewer { id } }"), {});
    expect((await ask({})).error?.message).to.include("CSRF");
    for (const answer of [await ask({ "Apollo-Require-Preflight": "1" }), await ask({}, false)]) {
      expect(answer.error).to.equal(undefined);
      expect(answer.data?.viewer.id).to.equal(staff.id);
    }
  });
});
