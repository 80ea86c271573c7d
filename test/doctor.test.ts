import { chmod, writeFile } from "node:fs/promises";
import { createServer, request, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import tls from "node:tls";
import { expect } from "chai";
import pg from "pg";
import { readConfig } from "../src/config.ts";
import type { Finding } from "../src/health/check.ts";
import { checkDataDir, checkDisk } from "../src/health/check-machine.ts";
import { checkBaseUrl, checkEgress, checkSmtp } from "../src/health/check-network.ts";
import { checkSettings } from "../src/health/check-settings.ts";
import { askThrough, databaseChecks } from "../src/health/database-checks.sql.ts";
import { identifyDatabase } from "../src/health/health-check.ts";
import { createTransport, type Transport } from "../src/jobs/transport/create-transport.ts";
import { createEncryption } from "../src/platform/encryption.ts";
import type { SmtpServer } from "../src/platform/mail/mail-settings.ts";
import { compareClocks } from "../src/platform/postgres/database-clock.ts";
import { version } from "../src/platform/version.ts";
import { testConfig } from "./support/config.ts";
import { query } from "./support/database.ts";
import { makeDirectory } from "./support/directory.ts";
import { eventually } from "./support/eventually.ts";
import { useMailServer } from "./support/mail/mail-server.ts";
import { useServer } from "./support/server.ts";
import { createAuthority } from "./support/webhooks/certificates.ts";

const { encryptionKeys } = testConfig("");
const encryption = createEncryption(encryptionKeys);
const authority = createAuthority();
const ending = authority.issue("localhost", { expiredDaysAgo: -3 });

/** Expects one finding, and a remedy. */
function expectFinding(findings: Finding[], severity: Finding["severity"], sentence: RegExp): void {
  expect(findings.map((found) => found.severity)).to.deep.equal([severity]);
  expect(findings[0]!.finding).to.match(sentence);
  expect(findings[0]!.remedy).to.be.a("string");
}

describe("The doctor finds", () => {
  const server = useServer({ config: { encryptionKeys } });
  const servers: Server[] = [];

  /** Serves on a free port until the end of the tests. */
  const listen = async (listener: RequestListener, certified?: { cert: string; key: string }): Promise<number> => {
    const made = certified ? createTlsServer(certified, listener) : createServer(listener);
    servers.push(made as Server);
    await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
    return (made.address() as AddressInfo).port;
  };
  /** A proxy in front of the server. `forwarded` changes X-Forwarded-For. */
  const proxy =
    (forwarded: (header: string) => string, url = server.url): RequestListener =>
    (incoming, answer) => {
      const headers = {
        ...incoming.headers,
        "x-forwarded-for": forwarded(String(incoming.headers["x-forwarded-for"])),
      };
      request(url + incoming.url, { headers }, (inner) => inner.pipe(answer.writeHead(inner.statusCode!))).end();
    };
  const known = tls.getCACertificates();
  before(() => tls.setDefaultCACertificates([...known, authority.cert]));
  after(() => {
    tls.setDefaultCACertificates(known);
    for (const one of servers) one.close();
  });

  describe("settings:", () => {
    const PUBLIC = { BASE_URL: "https://api.example.com", SMTP_URL: "smtp://a.example", TRUSTED_PROXIES: "1" };
    const LOCAL = { SMTP_URL: "smtp://a.example" };
    for (const [what, environment, sentence] of [
      ["no mail server", { ...PUBLIC, NODE_ENV: "production", SMTP_URL: "" }, /^No email is sent/],
      ["mails in files beside a server", { DATABASE_URL: "postgres://a/b" }, /^Emails are written/],
      ["https without proxies", { ...PUBLIC, TRUSTED_PROXIES: "0" }, /TRUSTED_PROXIES is 0/],
      ["webhooks to this machine", PUBLIC, /WEBHOOKS_ALLOW_LOOPBACK/],
      ["a local BASE_URL behind a proxy", { ...LOCAL, TRUSTED_PROXIES: "1" }, /this machine only/],
      ["a local BASE_URL of a public HOST", { ...LOCAL, HOST: "0.0.0.0" }, /this machine only/],
      ["a public BASE_URL without TLS", { ...LOCAL, BASE_URL: "http://a.example" }, /unencrypted/],
    ] as const) {
      it(what, () => {
        const loopback = what === "webhooks to this machine" ? "true" : "false";
        const config = readConfig({ WEBHOOKS_ALLOW_LOOPBACK: loopback, ...environment }, "nothing");
        expectFinding(checkSettings(config), "WARNING", sentence);
      });
    }

    it("nothing if they fit", () => {
      const right = { ...PUBLIC, WEBHOOKS_ALLOW_LOOPBACK: "false" };
      for (const one of [LOCAL, right]) expect(checkSettings(readConfig(one, "nothing"))).to.deep.equal([]);
    });
  });

  describe("in the database:", () => {
    const name = () => new URL(server.databaseUrl).pathname.slice(1);
    const run = (statement: string) => query(server.databaseUrl, statement);
    const find = (check: string, minutes?: number) => databaseChecks(askThrough(server.em), 10, minutes)[check]![1]();

    for (const [check, severity, sentence, broken, whole] of [
      [
        "connections",
        "WARNING",
        /^PostgreSQL has -?\d+ connections .* open up to 36$/,
        () => `alter database ${name()} connection limit 20`,
        () => `alter database ${name()} connection limit -1`,
      ],
      [
        "collation",
        "ERROR",
        /collation version 0/,
        () => `update pg_database set datcollversion = '0' where datname = '${name()}'`,
        () => `alter database ${name()} refresh collation version`,
      ],
      [
        "vacuum",
        "WARNING",
        /^busy has 20000 dead and 0 live rows, and its last vacuum was never$/,
        () => `create table busy with (autovacuum_enabled = false) as select generate_series(1, 20000);
          delete from busy; select pg_stat_force_next_flush()`,
        () => "drop table busy",
      ],
      [
        "snapshots",
        "WARNING",
        /inactive replication slot of_doctor/,
        () => "select pg_create_physical_replication_slot('of_doctor', true)",
        () => "select pg_drop_replication_slot('of_doctor')",
      ],
    ] as const) {
      it(`${check}: ${sentence.source}`, async () => {
        expect(await find(check)).to.deep.equal([]);
        try {
          await run(broken());
          expectFinding(await find(check), severity, sentence);
        } finally {
          await run(whole());
        }
        expect(await find(check)).to.deep.equal([]);
      });
    }

    it("a session that is idle in its transaction", async () => {
      const client = new pg.Client({ connectionString: server.databaseUrl, application_name: "forgotten" });
      await client.connect();
      await client.query("begin; create table uncommitted ()");
      expectFinding(await find("snapshots", 0), "WARNING", /^The session \d+ of .* \(forgotten, idle in transaction\)/);
      await client.end();
    });

    it("a role that does not see the sessions of others", async () => {
      const client = new pg.Client({ connectionString: server.databaseUrl });
      await client.connect();
      await client.query("begin; create role of_doctor; set local role of_doctor");
      const ask = async (text: string) => (await client.query<Finding>(text)).rows;
      expectFinding(await databaseChecks(ask, 10).snapshots![1](), "UNKNOWN", /^Sessions of other roles/);
      await client.end();
    });

    it("a pooler that drops the settings of connections", async () => {
      const checks = databaseChecks((text) => query(server.databaseUrl, text), 10);
      expectFinding(await checks["connection settings"]![1](), "ERROR", /a pooler drops them$/);
      expect(await find("connection settings")).to.deep.equal([]);
    });

    it("no worker, and late jobs", async () => {
      expectFinding(await find("workers"), "ERROR", /^No worker/);
      await run("select graphile_worker.add_job('none', run_at := now() - interval '6 minutes')");
      expectFinding((await find("workers")).slice(1), "WARNING", /^The oldest due job was due at /);
      await run("delete from graphile_worker._private_jobs");
      const worker = await server.app.startWorker();
      await eventually(
        async () => find("workers"),
        (findings) => findings.length === 0,
      ).finally(() => worker.stop());
    });

    it("another time", async () => {
      const shifted = (ms: number) => compareClocks(async () => new Date(Date.now() - ms));
      expect(await shifted(60_000)).to.deep.include({ isSkewed: true });
      expect(await shifted(0)).to.deep.include({ isSkewed: false });
    });
  });

  describe("at BASE_URL:", () => {
    const trusting = useServer({ config: { encryptionKeys, trustedProxies: 1 } });
    const check = async (port: number, { scheme = "http", of = server } = {}) =>
      checkBaseUrl(`${scheme}://localhost:${port}`, encryption, await identifyDatabase(of.em.getKysely()));
    const append = (header: string) => `${header}, 198.51.100.7`;
    const answer =
      (status: number, body: object, headers = {}): RequestListener =>
      (_, response) =>
        void response.writeHead(status, headers).end(JSON.stringify(body));

    it("nothing if it leads here", async () => {
      expect(await check(Number(new URL(server.url).port))).to.deep.equal([]);
    });

    for (const [what, listener, severity, sentence] of [
      ["a redirect", () => answer(301, {}, { location: "https://b.example/" }), "ERROR", /redirects to https:\/\/b/],
      ["a proxy without an API", () => answer(502, {}), "ERROR", /^BASE_URL cannot be reached .* answers 502$/],
      ["another service", () => answer(404, { error: "none" }), "ERROR", /another service/],
      [
        "another release",
        () => answer(200, { version: "0.1.0", seen: { forwardedFor: ["203.0.113.1"], trustedProxies: 0 } }),
        "WARNING",
        new RegExp(`version 0\\.1\\.0, not ${version}`),
      ],
      ["a proxy that is not trusted", () => proxy(append), "ERROR", /1 proxies .* all clients count as one/],
      ["a proxy that replaces the header", () => proxy(() => "198.51.100.7"), "ERROR", /1 proxies .* count as one/],
    ] as const) {
      it(what, async () => expectFinding(await check(await listen(listener())), severity, sentence));
    }

    it("too many trusted proxies, and nothing if they are right", async () => {
      const direct = Number(new URL(trusting.url).port);
      expectFinding(await check(direct, { of: trusting }), "ERROR", /0 proxies .* clients can fake their address$/);
      expect(await check(await listen(proxy(append, trusting.url)), { of: trusting })).to.deep.equal([]);
    });

    it("a certificate that ends soon, an unknown one, and no server", async () => {
      const port = await listen(
        proxy((header) => header),
        ending,
      );
      expectFinding(await check(port, { scheme: "https" }), "WARNING", /^The certificate of BASE_URL ends on /);
      const unknown = await listen(answer(200, {}), createAuthority("Unknown").issue("localhost"));
      expectFinding(await check(unknown, { scheme: "https" }), "ERROR", /cannot be reached from here/);
      expectFinding(await check(1), "ERROR", /cannot be reached from here: .*ECONNREFUSED/);
      const http = Number(new URL(server.url).port);
      expectFinding(await check(http, { scheme: "https" }), "ERROR", /from here: it speaks http, not https$/);
    });

    it("the same keys with another database", async () => {
      const findings = await checkBaseUrl(server.url, encryption, "another");
      expectFinding(findings, "ERROR", /another service or database/);
    });
  });

  describe("at the mail server:", () => {
    const plain = useMailServer();
    const secure = useMailServer({ ...ending, onAuth: (_auth, _session, done) => done(new Error("Wrong password")) });
    const at = (port: number, others: Partial<SmtpServer> = {}): SmtpServer => {
      return { host: "localhost", port, secure: false, auth: undefined, ...others };
    };

    it("no TLS, a certificate that ends soon, a wrong password, and no server", async () => {
      expect(await checkSmtp(at(plain.port))).to.deep.equal([]);
      expectFinding(await checkSmtp(at(plain.port, { host: "0.0.0.0" })), "WARNING", /no TLS/);
      expectFinding(await checkSmtp(at(secure.port)), "WARNING", /^The certificate of the mail server ends on /);
      const auth = { user: "a", pass: "b" };
      expectFinding(await checkSmtp(at(secure.port, { auth })), "ERROR", /failed: 535 Wrong password/);
      expectFinding(await checkSmtp(at(1)), "ERROR", /ECONNREFUSED/);
      expectFinding(await checkSmtp(at(plain.port, { secure: true })), "ERROR", /failed: it speaks smtp, not smtps$/);
      expect([...plain.offered, ...secure.offered]).to.deep.equal([]);
    });
  });

  it("that webhooks reach nothing", async () => {
    const port = await listen((_, response) => response.writeHead(405).end());
    const check = async (transport: Transport, url: string) =>
      checkEgress(transport, url).finally(() => transport.close());
    const here = () => createTransport({ allowLoopback: true });
    expect(await check(here(), `http://127.0.0.1:${port}/`)).to.deep.equal([]);
    expectFinding(await check(here(), "http://127.0.0.1:1/"), "ERROR", /refused the connection$/);
    const lookup = () => Promise.reject(Object.assign(new Error("none"), { code: "ENOTFOUND" }));
    const nameless = createTransport({ allowLoopback: false, lookup });
    expectFinding(await check(nameless, "https://receiver.example/"), "ERROR", /host name does not exist$/);
  });

  it("a full disk, and secrets that others can read", async () => {
    const dataDir = await makeDirectory();
    const database = { kind: "embedded" } as const;
    expect(await checkDisk({ database, dataDir }, 0)).to.deep.equal([]);
    expectFinding(await checkDisk({ database, dataDir }, Infinity), "WARNING", /MiB left/);
    expectFinding(await checkDisk({ database: { kind: "server", url: "" }, dataDir }), "UNKNOWN", /cannot be read/);
    const file = join(dataDir, "encryption-key");
    await writeFile(file, "", { mode: 0o600 });
    expect(await checkDataDir({ dataDir })).to.deep.equal([]);
    await chmod(file, 0o640);
    expectFinding(await checkDataDir({ dataDir }), "ERROR", /^Other users can open .*encryption-key$/);
  });
});
