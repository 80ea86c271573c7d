import { expect } from "chai";
import { codesOf } from "../../support/browser/browser.ts";
import { HOUR, later, useApiKeys } from "../../support/shops/api-keys.ts";

describe("A rotated API key", () => {
  const fixture = useApiKeys();
  const { sql, revoke, created, rotate, list, statusOf, becomes, actions, expire } = fixture;

  it("works beside its successor, which has its name and scopes", async () => {
    const { secret: oldSecret, apiKey: old } = await created({ scopes: ["READ_PRODUCTS", "READ_ORDERS"] });
    const rotatedAt = Date.now();
    const answer = await rotate(old.id!);
    const { secret, apiKey } = answer.data.rotateApiKey;
    expect(secret).not.to.equal(oldSecret);
    expect(apiKey).to.deep.include({ name: old.name, scopes: old.scopes, status: "ACTIVE", expiresAt: null });
    expect([await statusOf(oldSecret), await statusOf(secret)]).to.deep.equal([200, 200]);
    const [after, before] = (await list()).items;
    expect([apiKey.predecessorId, after.predecessorId, before.predecessorId]).to.deep.equal([old.id, old.id, null]);
    expect(before).to.deep.include({ id: old.id, successorId: apiKey.id, status: "ACTIVE" });
    expect(Date.parse(before.expiresAt)).to.be.within(rotatedAt + 24 * HOUR, Date.now() + 24 * HOUR);
    expect(await actions()).to.deep.equal([
      ["API_KEY_CREATED", old.id],
      ["API_KEY_ROTATED", old.id],
    ]);
  });

  it("expires within a second without an overlap, or earlier at its own expiry", async () => {
    const { secret, apiKey } = await created();
    expect(await statusOf(secret)).to.equal(200);
    const { secret: successor } = (await rotate(apiKey.id!, { overlapHours: 0 })).data.rotateApiKey;
    await becomes(secret, 401);
    expect(await statusOf(successor)).to.equal(200);
    const expiresAt = later(1);
    const { apiKey: short } = await created({ expiresAt });
    const own = later(1000);
    const { apiKey: next } = (await rotate(short.id!, { overlapHours: 168, expiresAt: own })).data.rotateApiKey;
    expect(next.expiresAt).to.equal(own);
    const { items } = await list();
    expect(items.find(({ id }: { id: string }) => id === short.id).expiresAt).to.equal(expiresAt);
  });

  it("is refused after its overlap", async () => {
    const { secret, apiKey } = await created();
    await rotate(apiKey.id!, { overlapHours: 1 });
    expect(await statusOf(secret)).to.equal(200);
    await expire(apiKey.id!);
    await becomes(secret, 401);
  });

  it("needs no free place, and passes on only scopes that the plan includes", async () => {
    const keys = [];
    for (let count = 0; count < 10; count += 1) {
      keys.push((await created({ scopes: count === 0 ? ["WRITE_ORDERS"] : ["READ_ORDERS", "WRITE_ORDERS"] })).apiKey);
    }
    expect((await rotate(keys[1]!.id!)).data.rotateApiKey.apiKey.scopes).to.deep.equal(["READ_ORDERS", "WRITE_ORDERS"]);
    await sql("update shops set plan = 'GROWTH' where id = $1");
    expect((await rotate(keys[2]!.id!)).data.rotateApiKey.apiKey.scopes).to.deep.equal(["READ_ORDERS"]);
    expect(codesOf(await rotate(keys[0]!.id!))).to.deep.equal(["PLAN_FORBIDS"]);
    await sql("update shops set plan = 'NONE' where id = $1");
    expect(codesOf(await rotate(keys[3]!.id!))).to.deep.equal(["PLAN_FORBIDS"]);
  });

  it("cannot be rotated again, and neither can its successor while it is valid", async () => {
    const { apiKey: old } = await created();
    const { apiKey: successor } = (await rotate(old.id!)).data.rotateApiKey;
    expect(codesOf(await rotate(old.id!))).to.deep.equal(["INVALID_STATE"]);
    const answer = await rotate(successor.id);
    expect(codesOf(answer)).to.deep.equal(["INVALID_STATE"]);
    expect(answer.errors[0]!.message).to.match(/still active/);
    await revoke(old.id!);
    expect((await rotate(successor.id)).errors).to.deep.equal([]);
  });

  it("cannot be a revoked or expired key", async () => {
    const { apiKey: revoked } = await created();
    await revoke(revoked.id!);
    const { apiKey: expired } = await created();
    await expire(expired.id!);
    for (const id of [revoked.id!, expired.id!]) expect(codesOf(await rotate(id))).to.deep.equal(["INVALID_STATE"]);
  });

  it("gets one successor from concurrent requests", async () => {
    const { apiKey } = await created();
    const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(apiKey.id!)));
    expect(answers.flatMap(codesOf)).to.deep.equal(Array.from({ length: 4 }, () => "INVALID_STATE"));
    expect(await list()).to.include({ total: 2 });
  });

  it("accepts an overlap of 0 to 168 hours, and an expiry in the future", async () => {
    const { apiKey } = await created();
    for (const input of [{ overlapHours: -1 }, { overlapHours: 169 }, { expiresAt: later(-1) }]) {
      expect(codesOf(await rotate(apiKey.id!, input)), JSON.stringify(input)).to.deep.equal(["VALIDATION_FAILED"]);
    }
    for (const input of [{ overlapHours: 1.5 }, { overlapHours: null }, { overlapHours: "24" }]) {
      expect((await rotate(apiKey.id!, input)).status, JSON.stringify(input)).to.equal(400);
    }
    expect(await list()).to.include({ total: 1 });
  });
});
