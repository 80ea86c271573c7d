import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer, type AddressInfo, type Server } from "node:net";
import { promisify } from "node:util";
import { expect } from "chai";
import { query } from "../support/database.ts";
import { makeDirectory } from "../support/directory.ts";
import { buildEndpoint, buildShop } from "../support/factories.ts";
import { useMailServer } from "../support/mail/mail-server.ts";
import { runCommand } from "../support/programs/command.ts";
import { programArguments } from "../support/programs/program.ts";
import { useServer } from "../support/server.ts";

const encryptionKeys = [{ name: "doctor", key: randomBytes(32) }];
const keyText = (key: Buffer) => `doctor:${key.toString("base64")}`;

interface Row {
  check: string;
  severity: string;
  finding: string;
  remedy: string;
}

describe("merchant-api doctor", function () {
  this.timeout(90_000);
  const server = useServer({ worker: true, atBaseUrl: true, config: { encryptionKeys } });
  const mailServer = useMailServer();
  let environment: Record<string, string>;

  before(async () => {
    environment = {
      DATABASE_URL: server.databaseUrl,
      DATA_DIR: await makeDirectory(),
      BASE_URL: server.url,
      ENCRYPTION_KEYS: keyText(encryptionKeys[0]!.key),
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      MAIL_FROM: "merchant@example.com",
      WEBHOOKS_ALLOW_LOOPBACK: "true",
    };
  });

  const doctor = async (others: Record<string, string> = {}, ...options: string[]) => {
    const { code, stdout } = await runCommand(["doctor", "--json", ...options], { ...environment, ...others });
    return { code, rows: JSON.parse(stdout) as Row[] };
  };
  const wrong = (rows: Row[]) =>
    rows.filter(({ severity }) => /WARNING|ERROR/.test(severity)).map(({ check, finding }) => `${check}: ${finding}`);

  it("finds nothing in a working installation, sends an email if asked, and exits with 0", async () => {
    const { code, rows } = await doctor({}, "--send-to", "ada@example.com");
    expect([code, wrong(rows)]).to.deep.equal([0, []]);
    expect(rows.find(({ check }) => check === "test email")!.finding).to.match(/^The answer to the email is: 250 /);
    expect(mailServer.to("ada@example.com")).to.have.length(1);
    const table = await runCommand(["doctor"], environment);
    expect(table.stdout).to.match(/^CHECK +SEVERITY +FINDING +REMEDY\ndatabase +OK /);
    expect(mailServer.received).to.have.length(1);
  });

  it("exits with 1 for warnings, such as a database of a newer release", async () => {
    await query(server.databaseUrl, "insert into migrations (name) values ('9999-later')");
    const { code, rows } = await doctor();
    await query(server.databaseUrl, "delete from migrations where name = '9999-later'");
    expect(code).to.equal(1);
    expect(wrong(rows)).to.deep.equal(["release: A newer release has migrated the database: 9999-later"]);
  });

  it("finds wrong keys, a wrong clock and a wrong address, and exits with 2", async () => {
    await buildEndpoint(server, await buildShop(server.em), "http://127.0.0.1:4400/webhooks");
    const clock = { NODE_OPTIONS: "--import ./test/support/programs/shifted-clock.ts", CLOCK_SHIFT: "60000" };
    const keys = { ENCRYPTION_KEYS: keyText(randomBytes(32)) };
    const { code, rows } = await doctor({ ...keys, ...clock }, "--send-to", "nobody");
    expect(code).to.equal(2);
    const [readiness, skew, baseUrl, email] = wrong(rows);
    expect(readiness).to.match(/^readiness: The key doctor in ENCRYPTION_KEYS is not the key/);
    expect(skew).to.match(/^clock: This machine's clock is [56]\d{4} ms ahead/);
    expect(baseUrl).to.match(/^BASE_URL: BASE_URL leads to another service/);
    expect(email).to.equal("test email: nobody: Must be an email address");
  });

  it("names a missing database once, and reports the checks of the machine while PostgreSQL and the mail server hang", async () => {
    const silent: Server = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    const { code, rows } = await doctor({
      DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none`,
      SMTP_URL: `smtp://127.0.0.1:${port}`,
    });
    silent.close();
    expect(code).to.equal(2);
    const of = (name: string) => rows.find(({ check }) => check === name)!;
    expect(of("database").finding).to.match(/^Cannot connect to PostgreSQL at 127\.0\.0\.1/);
    expect(of("mail server").severity).to.equal("ERROR");
    expect(rows.map(({ finding }) => finding).filter((each) => /connect to PostgreSQL/.test(each))).to.have.length(1);
    expect(rows.map(({ check }) => check)).not.to.include("vacuum");
    expect(of("descriptors").severity).to.equal("OK");
  });

  it("names faulty settings, and a low limit of files", async () => {
    const { code, rows } = await doctor({ PORT: "x", BASE_URL: "none" });
    expect(code).to.equal(2);
    expect(rows.map(({ finding }) => finding)).to.have.length(1);
    expect(rows[0]!.finding).to.match(/^Invalid configuration: PORT: .* BASE_URL: /);
    const limited = ["-c", 'ulimit -n 900; exec "$@"', "sh", process.execPath, ...programArguments("doctor", "--json")];
    const env = { PATH: process.env.PATH, ...environment };
    // The exit code is not 0.
    const { code: exit, stdout } = (await promisify(execFile)("sh", limited, { env }).catch(
      (error: { code: number; stdout: string }) => error,
    )) as { code?: number; stdout: string };
    expect(exit).to.equal(1);
    expect(wrong(JSON.parse(stdout) as Row[])).to.deep.equal([
      "descriptors: A process may open only 900 files and connections, and a worker needs up to 7000",
    ]);
  });
});

describe("merchant-api mail test", () => {
  const mailServer = useMailServer();
  const send = (to: string) =>
    runCommand(["mail", "test", "--to", to, "--json"], {
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      MAIL_FROM: "merchant@example.com",
    });

  it("sends an email and prints the server's answer", async () => {
    const { code, stdout } = await send("ada@example.com");
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.include({ to: "ada@example.com", isAccepted: true });
    expect((JSON.parse(stdout) as { answer: string }).answer).to.match(/^250 /);
    expect(mailServer.to("ada@example.com")[0]!.subject).to.equal("Test email of Merchant API");
  });

  it("prints why the server refused, and refuses what is no address", async () => {
    mailServer.refuses = { rcpt: 550 };
    const { code, stdout } = await send("ada@example.com");
    expect([code, JSON.parse(stdout)]).to.deep.equal([
      1,
      { to: "ada@example.com", isAccepted: false, answer: "550 Not <ada@example.com>" },
    ]);
    const refused = await send("ada");
    expect([refused.code, refused.stdout]).to.deep.equal([1, ""]);
    expect(refused.stderr).to.match(/ada: Must be an email address/);
  });
});
