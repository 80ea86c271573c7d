import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { migrations } from "../../migrations/index.ts";
import type { EncryptionKey } from "../../src/config.ts";
import { factorOwner } from "../../src/core/staff/second-factor/totp.ts";
import { sealHeaders } from "../../src/core/webhooks/endpoints/endpoint-headers.ts";
import { findFreePort } from "../support/free-port.ts";
import { createEncryption } from "../../src/platform/encryption.ts";
import { runCommand } from "../support/programs/command.ts";
import { cloneDatabase, query } from "../support/database.ts";
import { makeDirectory } from "../support/directory.ts";
import { buildEndpoint, buildShop, buildStaff } from "../support/factories.ts";
import { ServerProcess } from "../support/programs/server-process.ts";
import { useServer } from "../support/server.ts";
import { version } from "../../src/platform/version.ts";

const names = migrations.map(({ name }) => name);

describe("The start", () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await makeDirectory();
  });

  for (const command of ["serve", "api", "worker"]) {
    it(`is refused to ${command} in production with missing settings, and creates nothing`, async () => {
      const { code, stdout, stderr } = await runCommand([command], { NODE_ENV: "production", DATA_DIR: dataDir });
      expect([code, stdout]).to.deep.equal([1, ""]);
      for (const name of ["DATABASE_URL", "BASE_URL", "ENCRYPTION_KEYS"]) expect(stderr).to.include(`\n  ${name}: `);
      expect(stderr).not.to.match(/^\s+at /m);
      expect(existsSync(join(dataDir, "demo.json"))).to.equal(false);
      expect(existsSync(join(dataDir, "postgres"))).to.equal(false);
    });
  }

  describe("with a database server", () => {
    const key: EncryptionKey = { name: "in-use", key: randomBytes(32) };
    const server = useServer({ config: { encryptionKeys: [key] } });
    let running: ServerProcess | undefined;

    before(async () => {
      await buildEndpoint(server, await buildShop(server.em), "http://127.0.0.1:4400/webhooks");
    });

    afterEach(() => running?.stop());

    const refusal = async (command: string, databaseUrl: string, ...keys: EncryptionKey[]) => {
      const { code, stdout, stderr } = await runCommand([command], {
        DATABASE_URL: databaseUrl,
        ENCRYPTION_KEYS: keys.map(({ name, key: bytes }) => `${name}:${bytes.toString("base64")}`).join(","),
        DATA_DIR: dataDir,
        PORT: "0",
      });
      expect([code, stdout]).to.deep.equal([1, ""]);
      return stderr;
    };

    for (const command of ["api", "worker"]) {
      it(`is refused to ${command} on an older schema, with the command to run`, async () => {
        const empty = await cloneDatabase("template0");
        try {
          expect(await refusal(command, empty.url, key)).to.equal(
            `The database lacks graphile-worker 20, ${names.join(", ")}. Run: merchant-api migrate\n`,
          );
        } finally {
          await empty.drop();
        }
      });
    }

    for (const command of ["serve", "api", "worker"]) {
      it(`is refused to ${command} while a key in use is missing or different, by name`, async () => {
        expect(await refusal(command, server.databaseUrl, { ...key, name: "other" })).to.match(
          /ENCRYPTION_KEYS lacks the key in-use, which encrypts stored secrets\. Put that key back\n$/,
        );
        expect(await refusal(command, server.databaseUrl, { ...key, key: randomBytes(32) })).to.match(
          /The key in-use in ENCRYPTION_KEYS is not the key that encrypted stored secrets\. Put that key back\n$/,
        );
      });
    }

    it("is refused while a key used only for headers, or a second factor, is missing or different", async () => {
      const { endpoint } = await buildEndpoint(server, await buildShop(server.em), "http://127.0.0.1:4400/webhooks");
      const { id } = await buildStaff(server.em, await buildShop(server.em));
      const other = { name: "other", key: randomBytes(32) };
      const encryption = createEncryption([other]);
      const { sealedHeaders } = sealHeaders(encryption, endpoint, { authorization: "Bearer x" });
      for (const [store, values, remove] of [
        [
          "update webhook_endpoints set sealed_headers = $2 where id = $1",
          [endpoint.id, sealedHeaders],
          "update webhook_endpoints set sealed_headers = null",
        ],
        [
          "insert into second_factors (staff_id, sealed_secret) values ($1, $2)",
          [id, encryption.seal("secret", factorOwner(id))],
          "delete from second_factors",
        ],
      ] as const) {
        await query(server.databaseUrl, store, [...values]);
        const lacking = await refusal("worker", server.databaseUrl, key);
        const different = await refusal("worker", server.databaseUrl, key, { ...other, key: randomBytes(32) });
        await query(server.databaseUrl, remove);
        expect(lacking).to.match(/ENCRYPTION_KEYS lacks the key other, which/);
        expect(different).to.match(/The key other in ENCRYPTION_KEYS is not the key that/);
      }
    });

    const SMTP_URL = "smtp://127.0.0.1:1";
    for (const [where, environment, line] of [
      ["where mails are written", {}, /^› Emails are written to .*mail\. Set SMTP_URL/m],
      [
        "that none is sent",
        { NODE_ENV: "production", BASE_URL: "https://a.example" },
        /^› No email is sent, because SMTP_URL/m,
      ],
      ["nothing where a server takes mails", { SMTP_URL, MAIL_FROM: "a@example.com" }, undefined],
    ] as const) {
      it(`prints ${where}`, async () => {
        const databaseUrl = server.databaseUrl;
        running = new ServerProcess({
          command: "worker",
          databaseUrl,
          encryptionKeys: [key],
          environment: { ...environment, DATA_DIR: dataDir },
        });
        await running.started();
        expect(running.output).to.match(line ?? /^(?![^]*mail)/i);
      });
    }

    it("of a worker serves its health, also on a newer schema", async () => {
      await query(server.databaseUrl, "insert into migrations (name) values ('9999-later')");
      const healthPort = await findFreePort();
      running = new ServerProcess({
        command: "worker",
        databaseUrl: server.databaseUrl,
        encryptionKeys: [key],
        healthPort,
      });
      await running.started();
      for (const path of ["/livez", "/readyz", "/health"]) {
        const response = await fetch(`http://127.0.0.1:${healthPort}${path}`);
        const expected = path === "/livez" ? { status: "ok", version } : { status: "ok" };
        expect([response.status, await response.json()]).to.deep.equal([200, expected]);
      }
      expect((await fetch(`http://127.0.0.1:${healthPort}/graphql`)).status).to.equal(404);
    });
  });
});
