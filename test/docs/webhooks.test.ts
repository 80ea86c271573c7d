import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "chai";
import { triggers } from "../../scripts/webhook-catalog.ts";
import { createSchema } from "../../src/core/schema.ts";
import { topicNames } from "../../src/core/model/webhooks/topics.ts";
import { signDelivery } from "../../src/core/webhooks/deliveries/delivery-headers.ts";
import { schemaOf } from "../../src/rest/openapi-webhooks.ts";
import { routes } from "../../src/rest/router.ts";
import { makeDirectory } from "../support/directory.ts";

describe("docs/webhooks.md", () => {
  let page: string;

  before(async () => {
    page = await readFile(new URL("../../docs/webhooks.md", import.meta.url), "utf8");
  });

  it("lists the mutations that declare each topic", () => {
    const mutations = Object.values(createSchema().getMutationType()!.getFields());
    for (const topic of topicNames) {
      const emitting = mutations.filter(({ extensions }) =>
        (extensions.emits as string[] | undefined)?.includes(topic),
      );
      const named = Object.keys(triggers[topic]).filter((name) => !name.includes(" "));
      expect(named, topic).to.have.members(emitting.map(({ name }) => name));
    }
  });

  it("lists the routes that emit each topic", () => {
    const writes = routes
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} /api/v1/{shopId}${path}`);
    const named = Object.values(triggers).flatMap((names) => Object.keys(names).filter((name) => name.includes(" ")));
    expect(named).to.have.members(writes);
  });

  it("has an example of each topic that matches only its JSON Schema", () => {
    const ajv = addFormats.default(new Ajv2020({ allErrors: true }));
    for (const topic of topicNames) {
      const section = page.split(`### ${topic}\n`)[1]!.split("\n### ")[0]!;
      const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(section)![1]!);
      const validate = ajv.compile(schemaOf(topic));
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

  it("has a working function to verify `X-Webhook-Signature`", async () => {
    const directory = await makeDirectory();
    const [, sample = ""] = /```ts\n([\s\S]*?)```/.exec(page)!;
    await writeFile(join(directory, "verify.ts"), sample);
    const { isGenuine } = await import(pathToFileURL(join(directory, "verify.ts")).href);
    const secrets = { active: "whsec_AAAA", valid: ["whsec_AAAA"] };
    const body = '{"id":"evt_1"}';
    const header = signDelivery({ secrets, eventId: "evt_1", body, at: new Date() })["x-webhook-signature"];
    expect(isGenuine(Buffer.from(body), header, "whsec_AAAA")).to.equal(true);
    expect(isGenuine(Buffer.from(`${body} `), header, "whsec_AAAA")).to.equal(false);
    expect(isGenuine(Buffer.from(body), "", "whsec_AAAA")).to.equal(false);
  });
});
