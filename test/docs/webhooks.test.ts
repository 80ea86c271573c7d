import { readFile } from "node:fs/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "chai";
import { insertCatalogue, triggers } from "../../scripts/webhook-catalogue.ts";
import { createSchema } from "../../src/core/schema.ts";
import { topicNames } from "../../src/core/model/webhooks/topics.ts";
import { routes } from "../../src/rest/router.ts";

describe("docs/webhooks.md", () => {
  let page: string;

  before(async () => {
    page = await readFile(new URL("../../docs/webhooks.md", import.meta.url), "utf8");
  });

  it("has the catalogue that `npm run generate` writes", () => {
    expect(page).to.equal(insertCatalogue(page));
  });

  it("names for each topic the mutations that declare it", () => {
    const mutations = Object.values(createSchema().getMutationType()!.getFields());
    for (const topic of topicNames) {
      const emitting = mutations.filter(({ extensions }) =>
        (extensions.emits as string[] | undefined)?.includes(topic),
      );
      const named = Object.keys(triggers[topic]).filter((name) => !name.includes(" "));
      expect(named, topic).to.have.members(emitting.map(({ name }) => name));
    }
  });

  it("names the routes that write", () => {
    const writes = routes
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} /api/v1/{shopId}${path}`);
    const named = Object.values(triggers).flatMap((names) => Object.keys(names).filter((name) => name.includes(" ")));
    expect(named).to.have.members(writes);
  });

  it("shows an example and a JSON Schema of each topic, which agree and take nothing else", () => {
    const ajv = addFormats.default(new Ajv2020({ allErrors: true }));
    for (const topic of topicNames) {
      const section = page.split(`### ${topic}\n`)[1]!.split("\n### ")[0]!;
      const [example, schema] = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => JSON.parse(json!));
      const validate = ajv.compile(schema);
      validate(example);
      expect(ajv.errorsText(validate.errors), topic).to.equal("No errors");
      expect(Object.keys(example)).to.deep.equal(["id", "topic", "shopId", "createdAt", "data"]);
      expect(example.topic).to.equal(topic);
      for (const wrong of [
        { ...example, more: 1 },
        { ...example, topic: "order.eaten" },
        { ...example, createdAt: "yesterday" },
        { ...example, data: { ...example.data, more: 1 } },
        { ...example, data: {} },
      ]) {
        expect(validate(wrong), JSON.stringify(wrong)).to.equal(false);
      }
    }
  });

  it("leads to files that are there", async () => {
    const links = [...page.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => path!);
    expect(links).not.to.be.empty;
    for (const path of links) await readFile(new URL(path, new URL("../../docs/webhooks.md", import.meta.url)));
  });
});
