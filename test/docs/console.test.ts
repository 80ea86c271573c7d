import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "chai";
import { ensureDemo, welcome, type Demo } from "../../src/demo/create-demo.ts";
import { schemaOf } from "../../src/rest/openapi-webhooks.ts";
import { makeDirectory } from "../support/directory.ts";
import { maskJson, readConsoleExamples, runInBash } from "../support/programs/console-examples.ts";
import { useServer } from "../support/server.ts";

describe("The commands of README.md and docs/api.md", () => {
  const server = useServer();
  let demo: Demo;

  before("open the demo shop", async () => {
    demo = await ensureDemo(server.em, { file: join(await makeDirectory(), "demo.json"), baseUrl: server.url });
  });

  const inDemoShop = (key: string) => ({
    [key]: demo.shops[0]!.apiKeys[0]!.secret,
    SHOP: `${server.url}/api/v1/${demo.shops[0]!.id}`,
  });

  for (const [page, key] of [
    ["README.md", "KEY"],
    ["docs/api.md", "MERCHANT_API_KEY"],
  ] as const) {
    it(`return the responses in ${page}`, async () => {
      const examples = (await readConsoleExamples(page)).filter(({ command }) => command.startsWith("curl"));
      expect(examples.length).to.be.at.least(2);
      for (const { command, output } of examples) {
        expect(maskJson(await runInBash(command, inDemoShop(key))), command).to.deep.equal(maskJson(output));
      }
    });
  }

  it("follow a start with the output in README.md", async () => {
    const environment = { ...process.env };
    process.env.npm_lifecycle_event = "start";
    const printed = welcome(demo, { baseUrl: "http://127.0.0.1:4000", demoFile: ".data/demo.json" });
    process.env = environment;
    const shown = /```\n(Merchant API is ready[\s\S]*?)```/.exec(await readFile("README.md", "utf8"))![1]!;
    const pattern = shown
      .trim()
      .replaceAll(/[.?/()]/g, String.raw`\$&`)
      .replaceAll("…", String.raw`\S+`);
    expect(printed.trim()).to.match(new RegExp(`^${pattern}\n`));
  });

  it("cause the event in README.md", async () => {
    const [, topic, event = ""] = /Z {2}(product\.created) .*signature verified\n([\s\S]*?)```/.exec(
      await readFile("README.md", "utf8"),
    )!;
    const ajv = addFormats.default(new Ajv2020());
    expect(ajv.validate(schemaOf(topic as "product.created"), JSON.parse(event)), ajv.errorsText()).to.equal(true);
  });
});
