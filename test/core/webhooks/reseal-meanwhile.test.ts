import { randomBytes } from "node:crypto";
import { expect } from "chai";
import pg from "pg";
import { operator } from "../../../src/core/access/actor.ts";
import { factorOwner, resealSecondFactors } from "../../../src/core/staff/second-factor/totp.ts";
import { resealSecrets } from "../../../src/core/webhooks/endpoints/reseal-secrets.ts";
import { secretOwner } from "../../../src/core/webhooks/endpoints/signing-secrets.ts";
import { createEncryption } from "../../../src/platform/encryption.ts";
import { query } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { buildEndpoint, buildShop, buildStaff } from "../../support/factories.ts";
import { untilBlocked } from "../../support/postgres/lock-waits.ts";
import { useServer } from "../../support/server.ts";

describe("Resealing", () => {
  const older = { name: "older", key: randomBytes(32) };
  const newer = { name: "newer", key: randomBytes(32) };
  const server = useServer({ config: { encryptionKeys: [older, newer] } });

  it("preserves a second factor that is set up meanwhile", async () => {
    const { id } = await buildStaff(server.em, await buildShop(server.em));
    const { encryption } = server.app.core;
    const seal = (secret: string) => encryption.seal(secret, factorOwner(id));
    const insert = "insert into second_factors (staff_id, sealed_secret) values ($1, $2)";
    await query(server.databaseUrl, insert, [id, seal("before")]);
    const begun = new pg.Client({ connectionString: server.databaseUrl });
    await begun.connect();
    await begun.query("begin");
    await begun.query("update second_factors set sealed_secret = $2 where staff_id = $1", [id, seal("begun again")]);
    const both = createEncryption([newer, older]);
    const resealing = resealSecondFactors({ em: server.em, encryption: both });
    await untilBlocked(server.databaseUrl);
    await begun.query("commit");
    await begun.end();
    expect(await resealing).to.equal(1);
    const [row] = await query<{ sealed: string }>(
      server.databaseUrl,
      "select sealed_secret as sealed from second_factors",
    );
    expect(createEncryption([newer]).open(row!.sealed, factorOwner(id))).to.equal("begun again");
  });

  it("preserves a secret that is rotated meanwhile", async () => {
    const shops = await Promise.all([1, 2].map(() => buildShop(server.em)));
    for (const shop of shops) await buildEndpoint(server, shop, "https://receiver.example/hooks");
    const sealed = () =>
      query<{ id: string; shopId: string; secret: string }>(
        server.databaseUrl,
        'select id, shop_id as "shopId", sealed_secret as secret from webhook_endpoints order by shop_id',
      );
    const [, { shopId, id }] = (await sealed()) as [unknown, { shopId: string; id: string }];
    const rotation = new pg.Client({ connectionString: server.databaseUrl });
    await rotation.connect();
    await rotation.query("begin");
    const rotated = server.app.core.encryption.seal("rotated", secretOwner({ shopId, id }));
    await rotation.query("update webhook_endpoints set sealed_secret = $2 where id = $1", [id, rotated]);
    let isOver = false;
    const resealing = resealSecrets({ em: server.em, encryption: createEncryption([newer, older]) }, operator).finally(
      () => {
        isOver = true;
      },
    );
    await eventually(sealed, ([first]) => first!.secret.startsWith("newer."));
    expect(isOver).to.equal(false);
    await rotation.query("commit");
    await rotation.end();
    expect(await resealing).to.deep.equal({ resealed: 2, cleared: 0 });
    const [, last] = await sealed();
    expect(createEncryption([newer]).open(last!.secret, secretOwner({ shopId, id }))).to.equal("rotated");
  });
});
