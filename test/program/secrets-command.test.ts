import { createHmac, randomBytes } from "node:crypto";
import { expect } from "chai";
import { operator } from "../../src/core/access/actor.ts";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { factorOwner } from "../../src/core/staff/second-factor/totp.ts";
import { headersOwner, openHeaders, type SealedHeaders } from "../../src/core/webhooks/endpoints/endpoint-headers.ts";
import {
  rotateWebhookSecret,
  openSigningSecrets,
  type SealedSecrets,
} from "../../src/core/webhooks/endpoints/signing-secrets.ts";
import { updateWebhookEndpoint } from "../../src/core/webhooks/endpoints/endpoints.ts";
import { createEncryption } from "../../src/platform/encryption.ts";
import { openBrowser } from "../support/browser/browser.ts";
import { runCommand } from "../support/programs/command.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildProduct, buildShop, buildStaff } from "../support/factories.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";
import { begin, buildFactor, codeOf, confirm } from "../support/staff/second-factor.ts";
import { useServer } from "../support/server.ts";

describe("merchant-api secrets reseal", () => {
  const older = { name: "older", key: randomBytes(32) };
  const newer = { name: "newer", key: randomBytes(32) };
  const server = useServer({ worker: true, config: { encryptionKeys: [older, newer] } });
  const receiver = useReceiver();
  let shops: Shop[];
  let secrets: Map<string, string>;

  beforeEach(async () => {
    await query(server.databaseUrl, "delete from webhook_endpoints");
    await query(server.databaseUrl, "delete from second_factors");
    shops = await Promise.all([1, 2, 3].map(() => buildShop(server.em)));
    secrets = new Map();
    for (const shop of [...shops, ...shops]) {
      const { endpoint, secret } = await buildEndpoint(server, shop, receiver.url);
      secrets.set(endpoint.id, secret);
    }
  });

  const reseal = (keys = [newer, older]) =>
    runCommand(["secrets", "reseal"], {
      DATABASE_URL: server.databaseUrl,
      ENCRYPTION_KEYS: keys.map(({ name, key }) => `${name}:${key.toString("base64")}`).join(","),
    });
  const readEndpoints = () =>
    query<SealedSecrets>(
      server.databaseUrl,
      `select shop_id as "shopId", id, sealed_secret as "sealedSecret", secret_active_at as "secretActiveAt",
         sealed_old_secret as "sealedOldSecret", old_secret_expires_at as "oldSecretExpiresAt"
       from webhook_endpoints order by shop_id, id`,
    );
  /** The signing secrets of each endpoint, newest first, by the newer key alone. */
  const openByNewer = async () => {
    const [{ now }] = (await query<{ now: Date }>(server.databaseUrl, "select now()")) as [{ now: Date }];
    const opened = (await readEndpoints()).map(
      (row) => [row.id, openSigningSecrets(createEncryption([newer]), row, now).valid] as const,
    );
    return new Map(opened);
  };
  const shopIds = () => shops.map(({ id }) => id).toSorted();
  /** Entries of the command in the audit logs of the shops, in the order of their ids. */
  const readLog = () =>
    query(
      server.databaseUrl,
      `select actor_kind, target_id, target_name, details from audit_entries
       where action = 'WEBHOOK_SECRETS_RESEALED' and shop_id = any($1) order by shop_id`,
      [shopIds()],
    );
  const rotate = ({ shopId, id }: SealedSecrets) =>
    rotateWebhookSecret({ em: server.em, shop: { id: shopId }, actor: operator }, server.app.core, id, {
      overlapHours: 24,
    });

  it("encrypts every secret with the first key, including valid old ones, and clears expired ones", async () => {
    const [first, second] = await readEndpoints();
    const rotated = await rotate(first!);
    const replaced = await rotate(second!);
    const expire = "update webhook_endpoints set old_secret_expires_at = now() where id = $1";
    await query(server.databaseUrl, expire, [second!.id]);
    const { code, stdout, stderr } = await reseal();
    expect([code, stdout, stderr]).to.deep.equal([
      0,
      "Secrets encrypted with newer: 7. Expired secrets deleted: 1\n",
      "",
    ]);
    const expected = new Map([...secrets].map(([id, secret]) => [id, [secret]]));
    expected.set(first!.id, [rotated, secrets.get(first!.id)!]).set(second!.id, [replaced]);
    expect(Object.fromEntries(await openByNewer())).to.deep.equal(Object.fromEntries(expected));
    const cleared = (await readEndpoints()).filter(({ sealedOldSecret }) => sealedOldSecret === null);
    expect(cleared).to.have.length(5);
    expect((await reseal([newer])).stdout).to.equal("Secrets encrypted with newer: 0. Expired secrets deleted: 0\n");
    expect(await readLog()).to.deep.equal(
      shopIds().map((id) => {
        const isFirst = id === first!.shopId;
        const details = { resealed: isFirst ? "3" : "2", cleared: isFirst ? "1" : "0" };
        return { actor_kind: "OPERATOR", target_id: id, target_name: "Test Shop", details };
      }),
    );
  });

  it("encrypts headers with the first key, which are sent as before", async () => {
    const [first] = await readEndpoints();
    const { shopId, id } = first!;
    const operation = { em: server.em, shop: { id: shopId }, actor: operator };
    const services = { encryption: server.app.core.encryption, webhooksAllowLoopback: true };
    const headers = [{ name: "Authorization", value: "Bearer abracadabra" }];
    await updateWebhookEndpoint(operation, services, id, { headers });
    expect((await reseal()).stdout).to.equal("Secrets encrypted with newer: 7. Expired secrets deleted: 0\n");
    const columns = `shop_id as "shopId", id, sealed_headers as "sealedHeaders", header_names as "headerNames"`;
    const rows = await query<SealedHeaders & { headerNames: string[] }>(
      server.databaseUrl,
      `select ${columns} from webhook_endpoints where sealed_headers is not null`,
    );
    expect(rows.map(({ headerNames }) => headerNames)).to.deep.equal([["authorization"]]);
    const opened = { authorization: "Bearer abracadabra" };
    expect(openHeaders(createEncryption([newer]), rows[0]!)).to.deep.equal(opened);
    receiver.received.length = 0;
    await buildProduct(
      server.em,
      shops.find((shop) => shop.id === shopId)!,
    );
    await eventually(
      () => receiver.received,
      (all) => all.length === 2,
    );
    const sent = receiver.received.map(({ headers: { authorization } }) => authorization);
    expect(sent).to.have.members(["Bearer abracadabra", undefined]);
  });

  it("encrypts second factors with the first key, and their codes still work", async () => {
    const pending = await buildStaff(server.em, shops[0]!);
    const browser = openBrowser(server);
    await browser.logIn(pending);
    const { secret } = (await begin(browser, pending.password)).data.beginSecondFactor;
    const staff = await buildStaff(server.em, shops[1]!);
    const factor = await buildFactor(server, staff);
    expect((await reseal()).stdout).to.equal("Secrets encrypted with newer: 8. Expired secrets deleted: 0\n");
    const rows = await query<{ name: string }>(
      server.databaseUrl,
      "select split_part(sealed_secret, '.', 1) as name from second_factors",
    );
    expect(rows).to.deep.equal([{ name: "newer" }, { name: "newer" }]);
    expect((await confirm(browser, codeOf(secret))).errors).to.deep.equal([]);
    expect((await openBrowser(server).logIn({ ...staff, code: codeOf(factor.secret) })).errors).to.deep.equal([]);
  });

  it("does not affect deliveries of a running service", async () => {
    await reseal();
    receiver.received.length = 0;
    await buildProduct(server.em, shops[0]!);
    const received = await eventually(
      () => receiver.received,
      (all) => all.length === 2,
    );
    const signatures = new Set(received.map(({ headers }) => headers["x-webhook-signature"]));
    const ids = (await readEndpoints()).filter(({ shopId }) => shopId === shops[0]!.id).map(({ id }) => id);
    const expected = ids.map((id) => createHmac("sha256", secrets.get(id)!).update(received[0]!.body).digest("hex"));
    expect(signatures).to.deep.equal(new Set(expected.map((hex) => `sha256=${hex}`)));
  });

  /** Each stores what was sealed for another record. The check at start tries the oldest: it is not that one. */
  const misplaced: Record<string, () => Promise<string>> = {
    "an account with a second factor": async () => {
      const [first, last] = [await buildStaff(server.em, shops[0]!), await buildStaff(server.em, shops[0]!)];
      const sealed = server.app.core.encryption.seal("secret", factorOwner(first.id));
      const insert = "insert into second_factors (staff_id, sealed_secret) select unnest($1::text[]), $2";
      await query(server.databaseUrl, insert, [[first.id, last.id], sealed]);
      return `second-factor/${last.id}`;
    },
    "an endpoint with headers": async () => {
      const [other, last] = (await readEndpoints()).toSorted((one, next) => (one.id < next.id ? -1 : 1)).slice(-2);
      const sealed = server.app.core.encryption.seal("{}", headersOwner(other!));
      await query(server.databaseUrl, "update webhook_endpoints set sealed_headers = $2 where id = $1", [
        last!.id,
        sealed,
      ]);
      return `webhook-endpoint/${last!.shopId}/${last!.id}/headers`;
    },
    "an endpoint with a secret": async () => {
      const [first, last] = [(await readEndpoints())[0]!, (await readEndpoints()).at(-1)!];
      const update = "update webhook_endpoints set sealed_secret = $2 where id = $1";
      await query(server.databaseUrl, update, [last.id, first.sealedSecret]);
      return `webhook-endpoint/${last.shopId}/${last.id}`;
    },
  };
  for (const [what, misplace] of Object.entries(misplaced)) {
    it(`names ${what} that cannot be decrypted, and the key, without secrets`, async () => {
      const owner = await misplace();
      const stderr = `The key older cannot decrypt the secret of ${owner}\n`;
      expect(await reseal()).to.deep.equal({ code: 1, stdout: "", stderr });
    });
  }

  it("is refused without the keys in use, by name", async () => {
    expect(await reseal([newer])).to.deep.equal({
      code: 1,
      stdout: "",
      stderr: "ENCRYPTION_KEYS lacks the key older, which encrypts stored secrets. Put that key back\n",
    });
  });
});
