import { expect } from "chai";
import { generateApiKeySecret } from "../../src/core/credentials/secret.ts";
import { ApiKey } from "../../src/core/model/credentials/api-key.entity.ts";
import { call } from "../support/client.ts";
import { buildKey, buildShop } from "../support/factories.ts";
import { callRaw } from "../support/requests/raw.ts";
import { useWorld } from "../support/world.ts";

const MISTYPED = "The API key looks mistyped or cut short.";
const DIFFERENT = "The request has different API keys. Send only one.";

describe("Authentication", () => {
  const world = useWorld();
  const { server, shop } = world;
  let key: string;

  beforeEach(async () => {
    key = await world.key();
  });

  async function ask(...headers: [name: string, value: string][]) {
    return callRaw(server, "GET", `/${shop.id}/products`, { headers });
  }

  async function accept(...headers: [name: string, value: string][]) {
    const { status } = await ask(...headers);
    expect(status, JSON.stringify(headers.map(([name]) => name))).to.equal(200);
  }

  async function refuse(hint: string | undefined, ...headers: [name: string, value: string][]) {
    const answer = await ask(...headers);
    expect(answer.status).to.equal(401);
    expect(answer.json).to.deep.equal({ error: "Unauthorized", ...(hint && { hint }) });
    expect(answer.headers.get("www-authenticate")).to.equal("Bearer");
  }

  it("accepts the key in either header", async () => {
    await accept(["Authorization", `Bearer ${key}`]);
    await accept(["X-Service-Access-Token", key]);
  });

  it("accepts the scheme in any case", async () => {
    for (const scheme of ["bearer", "BEARER", "bEaReR"]) await accept(["Authorization", `${scheme} ${key}`]);
  });

  it("accepts the same key in both headers, and in repeated ones", async () => {
    await accept(["Authorization", `Bearer ${key}`], ["X-Service-Access-Token", key]);
    await accept(["Authorization", `Bearer ${key}`], ["Authorization", `bearer ${key}`]);
  });

  it("refuses different keys in any headers, with a hint", async () => {
    const other = await buildKey(server.em, await buildShop(server.em));
    await refuse(DIFFERENT, ["Authorization", `Bearer ${key}`], ["X-Service-Access-Token", other]);
    await refuse(DIFFERENT, ["Authorization", `Bearer ${other}`], ["X-Service-Access-Token", key]);
    await refuse(DIFFERENT, ["Authorization", `Bearer ${key}`], ["Authorization", `Bearer ${other}`]);
    await refuse(DIFFERENT, ["X-Service-Access-Token", key], ["X-Service-Access-Token", other]);
    await refuse(DIFFERENT, ["Authorization", `Bearer ${key}`], ["X-Service-Access-Token", "nonsense"]);
  });

  it("refuses a request without a key", async () => {
    await refuse(undefined);
    await refuse(undefined, ["Authorization", ""]);
    await refuse(undefined, ["Authorization", "Bearer"]);
    await refuse(undefined, ["Authorization", "Bearer "]);
    await refuse(undefined, ["X-Service-Access-Token", ""]);
  });

  it("refuses a key in any other place", async () => {
    await refuse(undefined, ["Authorization", key]);
    await refuse(undefined, ["Authorization", `Basic ${Buffer.from(`${key}:`).toString("base64")}`]);
    await refuse(undefined, ["Authorization", `Token ${key}`]);
    await refuse(undefined, ["X-Api-Key", key]);
    await refuse(undefined, ["Cookie", `session=${key}`]);
    const inQuery = await call(server, "GET", `/${shop.id}/products?access_token=${key}`);
    expect(inQuery.status).to.equal(401);
  });

  it("refuses text that is not a key, and an unknown key, without a hint", async () => {
    for (const text of ["nonsense", "sk_test_1", shop.id, "null", key.toUpperCase(), generateApiKeySecret()]) {
      await refuse(undefined, ["Authorization", `Bearer ${text}`]);
    }
  });

  it("hints at a mistyped or truncated key", async () => {
    const replaced = key.at(-8) === "a" ? "b" : "a";
    for (const text of [
      key.slice(0, -1),
      `${key}0`,
      key.slice(0, 8),
      `${key.slice(0, -8)}${replaced}${key.slice(-7)}`,
      `${key.slice(0, 20)}-${key.slice(21)}`,
    ]) {
      await refuse(MISTYPED, ["Authorization", `Bearer ${text}`]);
      await refuse(MISTYPED, ["X-Service-Access-Token", text]);
    }
  });

  it("refuses an expired key, and accepts one that expires later", async () => {
    const inTime = async (milliseconds: number) => {
      const secret = await buildKey(server.em, shop);
      const expiresAt = new Date(Date.now() + milliseconds);
      const [newest] = await server.em.fork().find(ApiKey, { shopId: shop.id }, { orderBy: { id: "desc" }, limit: 1 });
      await server.em.fork().nativeUpdate(ApiKey, { shopId: shop.id, id: newest!.id }, { expiresAt });
      return secret;
    };
    await refuse(undefined, ["Authorization", `Bearer ${await inTime(-1)}`]);
    await accept(["Authorization", `Bearer ${await inTime(60_000)}`]);
  });
});
