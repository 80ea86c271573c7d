import { glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { readConfig } from "../src/config.ts";
import { makeDirectory } from "./support/directory.ts";
import { createAuthority } from "./support/webhooks/certificates.ts";

async function writeAuthorities(text: string): Promise<string> {
  const file = join(await makeDirectory(), "authorities.pem");
  await writeFile(file, text);
  return file;
}

describe("Configuration", () => {
  const key = () => randomBytes(32).toString("base64");

  function refusal(environment: Record<string, string>, use: Parameters<typeof readConfig>[1] = "everything"): string {
    try {
      readConfig(environment, use);
    } catch (error) {
      return (error as Error).message;
    }
    return "taken";
  }

  it("requires no variable for development", () => {
    expect(readConfig({}, "everything")).to.deep.equal({
      database: { kind: "embedded" },
      databasePoolSize: 10,
      dataDir: ".data",
      demoFile: ".data/demo.json",
      port: 4000,
      healthPort: undefined,
      metrics: undefined,
      host: "127.0.0.1",
      shutdownDelay: 0,
      baseUrl: "http://127.0.0.1:4000",
      trustedProxies: 0,
      encryptionKeys: undefined,
      egress: { proxy: undefined, authorities: undefined },
      webhooksAllowLoopback: true,
      graphqlIntrospection: true,
      mail: {
        kind: "files",
        directory: ".data/mail",
        from: { name: "Merchant API", address: "merchant-api@localhost.invalid" },
      },
      tracedPart: undefined,
      logLevel: "warn",
    });
  });

  it("is strict with a database server", () => {
    const config = readConfig(
      { DATABASE_URL: "postgres://db.example/merchant", ENCRYPTION_KEYS: `a:${key()}` },
      "everything",
    );
    expect(config.database).to.deep.equal({ kind: "server", url: "postgres://db.example/merchant" });
    expect(config).to.include({ webhooksAllowLoopback: false, graphqlIntrospection: false, logLevel: "info" });
  });

  it("reads every variable", async () => {
    const authority = createAuthority().cert;
    const file = await writeAuthorities(`# Ours\n${authority}\n# Theirs\n${authority}`);
    const [newer, older] = [key(), key()];
    const config = readConfig(
      {
        DATA_DIR: "/var/lib/merchant",
        PORT: "8080",
        HEALTH_PORT: "8081",
        METRICS_PORT: "8082",
        METRICS_HOST: "10.0.0.1",
        HOST: "0.0.0.0",
        SHUTDOWN_DELAY: "7",
        BASE_URL: "https://api.shop.example//",
        TRUSTED_PROXIES: "2",
        DATABASE_POOL_SIZE: "25",
        ENCRYPTION_KEYS: `newer:${newer},older-1:${older}`,
        WEBHOOKS_PROXY: "http://merchant%40example.com:p%3Ass@[fd00::1]",
        WEBHOOKS_CA: file,
        WEBHOOKS_ALLOW_LOOPBACK: "false",
        GRAPHQL_INTROSPECTION: "false",
        SMTP_URL: "smtps://merchant%40example.com:p%3Ass@[2001:db8::1]:2465",
        MAIL_FROM: "Merchant <merchant@example.com>",
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318",
        OTEL_TRACES_SAMPLER_ARG: "0.25",
        LOG_LEVEL: "debug",
      },
      "everything",
    );
    expect(config).to.deep.include({
      dataDir: "/var/lib/merchant",
      port: 8080,
      healthPort: 8081,
      metrics: { host: "10.0.0.1", port: 8082 },
      host: "0.0.0.0",
      shutdownDelay: 7,
      baseUrl: "https://api.shop.example",
      trustedProxies: 2,
      databasePoolSize: 25,
      egress: {
        proxy: {
          protocol: "http:",
          host: "fd00::1",
          port: undefined,
          auth: { user: "merchant@example.com", pass: "p:ss" },
        },
        authorities: [authority, authority],
      },
      webhooksAllowLoopback: false,
      graphqlIntrospection: false,
      mail: {
        kind: "smtp",
        server: {
          host: "2001:db8::1",
          port: 2465,
          secure: true,
          auth: { user: "merchant@example.com", pass: "p:ss" },
        },
        from: { name: "Merchant", address: "merchant@example.com" },
      },
      tracedPart: 0.25,
      logLevel: "debug",
    });
    expect(config.encryptionKeys).to.deep.equal([
      { name: "newer", key: Buffer.from(newer, "base64") },
      { name: "older-1", key: Buffer.from(older, "base64") },
    ]);
  });

  it("treats an empty variable as unset, as Compose files leave them", () => {
    const names = ["DATABASE_URL", "PORT", "BASE_URL", "ENCRYPTION_KEYS", "LOG_LEVEL", "GRAPHQL_INTROSPECTION"];
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ""])), "everything")).to.deep.equal(
      readConfig({}, "everything"),
    );
  });

  const nonsense: Record<string, string[]> = {
    DATABASE_URL: ["mysql://user:hunter2@db.example/merchant", "hunter2", "postgres://user:hunter2@db.example"],
    PORT: ["hunter2", "65536", "-1", "80.5", "1e3"],
    METRICS_PORT: ["hunter2"],
    BASE_URL: [
      "hunter2",
      "ftp://hunter2.example",
      "https://user:hunter2@api.example.com",
      "https://hunter2@api.example.com",
      "https://@api.example.com",
      "https://api.example.com/hunter2",
      "https://api.example.com//hunter2/",
      "https://api.example.com/?hunter2=1",
      "https://api.example.com?",
      "https://api.example.com#hunter2",
      "https://api.example.com/#",
    ],
    SHUTDOWN_DELAY: ["61"],
    TRUSTED_PROXIES: ["-1", "11"],
    DATABASE_POOL_SIZE: ["1", "hunter2"],
    ENCRYPTION_KEYS: ["hunter2", "x", `a:${Buffer.from("hunter2").toString("base64")}`],
    WEBHOOKS_PROXY: [
      "hunter2",
      "https://user:hunter2@proxy.example",
      "http://user:hunter2%@proxy.example",
      "http://proxy.example/hunter2",
      "http://proxy.example:65536",
    ],
    WEBHOOKS_CA: ["/hunter2.pem", "/"],
    WEBHOOKS_ALLOW_LOOPBACK: ["hunter2"],
    GRAPHQL_INTROSPECTION: ["1"],
    SMTP_URL: [
      "https://hunter2.example",
      "smtp:hunter2",
      "smtp://user:hunter2%@mail.example",
      "smtp://mail.example/hunter2",
      "smtp://mail.example?pool=true",
    ],
    MAIL_FROM: ["hunter2", "Shop <hunter2>", "a@example.com, hunter2@example.com", "hunter2\r\nBcc: <a@example.com>"],
    OTEL_EXPORTER_OTLP_ENDPOINT: ["hunter2"],
    OTEL_TRACES_SAMPLER_ARG: ["hunter2", "1.5"],
    LOG_LEVEL: ["hunter2"],
  };
  for (const [name, values] of Object.entries(nonsense)) {
    for (const value of values) {
      it(`refuses ${name} as ${value.includes("hunter2") ? "nonsense" : value}, by name and never by value`, () => {
        const message = refusal({ [name]: value }, "database");
        expect(message).to.match(new RegExp(`^Invalid configuration:\n {2}${name}: .+$`));
        expect(message).not.to.include("hunter2");
        expect(message).not.to.include(Buffer.from("hunter2").toString("base64"));
      });
    }
  }

  it("refuses a file of authorities without a certificate, or with one that is cut off", async () => {
    const { cert, key: privateKey } = createAuthority();
    for (const text of ["", privateKey, cert + cert.replace(/\n.{20}/, "\n")]) {
      const message = refusal({ WEBHOOKS_CA: await writeAuthorities(text) });
      expect(message).to.match(/\n {2}WEBHOOKS_CA: must be the path of a readable PEM file of valid certificates$/);
    }
  });

  it("refuses production without a database, a key or an https address, and names all three", () => {
    const lines = [
      /^Invalid configuration:$/,
      /^ {2}DATABASE_URL: .*postgres:\/\//,
      /^ {2}BASE_URL: .*https:\/\//,
      /^ {2}ENCRYPTION_KEYS: .*openssl rand/,
    ];
    for (const BASE_URL of ["", "http://api.shop.example"]) {
      const message = refusal({ NODE_ENV: "production", BASE_URL }).split("\n");
      expect(message).to.have.length(lines.length);
      for (const [index, line] of lines.entries()) expect(message[index]).to.match(line);
    }
  });

  it("reports malformed and missing variables together", () => {
    const message = refusal({ NODE_ENV: "production", PORT: "x" });
    for (const name of ["PORT", "DATABASE_URL", "BASE_URL", "ENCRYPTION_KEYS"])
      expect(message).to.include(`  ${name}: `);
  });

  it("accepts a complete production configuration", () => {
    const { baseUrl, shutdownDelay } = readConfig(
      {
        NODE_ENV: "production",
        DATABASE_URL: "postgres://db.example/merchant",
        BASE_URL: "https://api.shop.example",
        ENCRYPTION_KEYS: `a:${key()}`,
      },
      "everything",
    );
    expect([baseUrl, shutdownDelay]).to.deep.equal(["https://api.shop.example", 5]);
  });

  it("requires encryption keys with every database server", () => {
    expect(refusal({ DATABASE_URL: "postgres://db.example/merchant" })).to.match(/ENCRYPTION_KEYS: is required/);
  });

  const production = { NODE_ENV: "production", DATABASE_URL: "postgres://db.example/merchant" };

  it("sends no email in production without an SMTP server", () => {
    expect(readConfig(production, "database").mail).to.equal(undefined);
    const mail = { SMTP_URL: "smtp://mail:1025", MAIL_FROM: "merchant@example.com" };
    expect(readConfig({ ...production, ...mail }, "database").mail).to.deep.equal({
      kind: "smtp",
      server: { host: "mail", port: 1025, secure: false, auth: undefined },
      from: { name: "", address: "merchant@example.com" },
    });
  });

  it("accepts every sender address that email allows", () => {
    const senderOf = (MAIL_FROM: string) => readConfig({ MAIL_FROM }, "mail").mail!.from;
    expect(senderOf("Söhne & Co < a&b@münchen.example >")).to.deep.equal({
      name: "Söhne & Co",
      address: "a&b@xn--mnchen-3ya.example",
    });
    expect(senderOf(" shop@xn--e1afmkfd.xn--p1ai ")).to.deep.equal({ name: "", address: "shop@xn--e1afmkfd.xn--p1ai" });
  });

  it("requires a sender with SMTP_URL, and encryption keys for emailed tokens", () => {
    const SMTP_URL = "smtp://mail.example";
    const message = refusal({ ...production, SMTP_URL }, "mail").split("\n");
    expect(message).to.have.length(3);
    expect(message[1]).to.match(/^ {2}MAIL_FROM: is required with SMTP_URL/);
    expect(message[2]).to.match(/^ {2}ENCRYPTION_KEYS: is required/);
    expect(refusal({ ...production, SMTP_URL }, "database")).to.equal("taken");
    expect(refusal(production, "mail")).to.equal("taken");
  });

  it("requires of a command only what it uses", () => {
    const database = { DATABASE_URL: "postgres://db.example/merchant" };
    expect(refusal({ NODE_ENV: "production", ...database }, "database")).to.equal("taken");
    expect(refusal({ NODE_ENV: "production" }, "database")).to.match(/^Invalid configuration:\n {2}DATABASE_URL: .+$/);
    expect(refusal({ NODE_ENV: "production" }, "nothing")).to.equal("taken");
  });

  it("refuses encryption keys of one repeated byte, as in examples", () => {
    for (const byte of [0, 1, 255]) {
      const repeated = Buffer.alloc(32, byte).toString("base64");
      const message = refusal({ ENCRYPTION_KEYS: `a:${key()},b:${repeated}` });
      expect(message).to.match(
        /\n {2}ENCRYPTION_KEYS: must not have a key that repeats one byte\. Generate a key with: openssl/,
      );
      expect(message).not.to.include(repeated);
    }
  });

  it("refuses every key in the documentation", async () => {
    for await (const file of glob("{README.md,SECURITY.md,docs/**/*.md,deploy/**/*.y{a,}ml}")) {
      const keys = (await readFile(file, "utf8")).match(/(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}=/g) ?? [];
      expect(
        keys.filter((each) => refusal({ ENCRYPTION_KEYS: `a:${each}` }) === "taken"),
        file,
      ).to.deep.equal([]);
    }
  });

  it("refuses two encryption keys of the same name", () => {
    expect(refusal({ ENCRYPTION_KEYS: `a:${key()},a:${key()}` })).to.match(/ENCRYPTION_KEYS: /);
  });
});
