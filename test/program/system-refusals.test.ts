import { spawnSync } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { runCommand } from "../support/programs/command.ts";
import { programArguments } from "../support/programs/program.ts";
import { cloneDatabase, query } from "../support/database.ts";
import { makeDirectory } from "../support/directory.ts";

// Of TEST-NET-3: no machine has it.
const FOREIGN = "203.0.113.7";
const KEY = Buffer.alloc(32, "key").toString("base64");

describe("System errors", () => {
  let directory: string;
  let dataDir: string;

  beforeEach(async () => {
    directory = await makeDirectory();
    dataDir = join(directory, "data");
  });

  /** The one line that a command fails with, before it has made anything. */
  async function refusalOf(command: string[], environment: Record<string, string>): Promise<string> {
    const { code, stdout, stderr } = await runCommand(command, { DATA_DIR: dataDir, ...environment });
    expect([code, stdout], stderr).to.deep.equal([1, ""]);
    expect(stderr.trimEnd(), stderr).not.to.include("\n");
    expect(existsSync(join(dataDir, "postgres"))).to.equal(false);
    return stderr.trimEnd();
  }

  for (const [command, host, port] of [
    ["serve", "HOST", "PORT"],
    ["serve", "METRICS_HOST", "METRICS_PORT"],
    ["api", "HOST", "PORT"],
    ["worker", "HOST", "HEALTH_PORT"],
  ] as const) {
    const server = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none", ENCRYPTION_KEYS: `a:${KEY}` };
    const environment = command === "serve" ? {} : server;

    it(`${command} names ${host} for an address of ${port} that is not this machine's`, async () => {
      const refused = await refusalOf([command], { ...environment, [host]: FOREIGN, [port]: "0" });
      expect(refused).to.equal(`${host}: ${FOREIGN} is not an address of this machine. Choose another one.`);
    });

    it(`${command} names ${port} for a port in use`, async () => {
      const listener = createServer().listen(0, "127.0.0.1");
      await once(listener, "listening");
      const taken = String((listener.address() as AddressInfo).port);
      const refused = await refusalOf([command], { PORT: "0", ...environment, [port]: taken });
      listener.close();
      expect(refused).to.equal(`${port}: Port ${taken} is already in use. Choose another one.`);
    });
  }

  it("name a DATA_DIR that is a file", async () => {
    const file = join(directory, "file");
    await writeFile(file, "");
    for (const command of [["serve"], ["shops", "list"]]) {
      expect(await refusalOf(command, { DATA_DIR: file, PORT: "0" })).to.equal(`DATA_DIR: ${file} is not a directory.`);
    }
    const below = join(file, "data");
    const refused = await refusalOf(["serve"], { DATA_DIR: below, PORT: "0" });
    expect(refused).to.equal(`DATA_DIR: Cannot make ${below}: not a directory`);
  });

  it("show PostgreSQL's own message, without the statement", async () => {
    const database = await cloneDatabase();
    try {
      await query(
        database.url,
        `alter database ${new URL(database.url).pathname.slice(1)} set default_transaction_read_only = on`,
      );
      const create = ["shops", "create", "--name", "Shop", "--plan", "GROWTH", "--currency", "EUR"];
      const refused = await refusalOf(create, { DATABASE_URL: database.url });
      expect(refused).to.equal("PostgreSQL error: cannot execute INSERT in a read-only transaction");
    } finally {
      await database.drop();
    }
  });

  it("name a DATA_DIR that cannot be made", async () => {
    const refused = await refusalOf(["shops", "list"], { DATA_DIR: "/proc/none/data" });
    expect(refused).to.equal("DATA_DIR: Cannot make /proc/none: no such file or directory");
  });

  it("name a damaged encryption key of DATA_DIR", async () => {
    await mkdir(dataDir);
    await writeFile(join(dataDir, "encryption-key"), "own:");
    const { code, stderr } = await runCommand(["shops", "list"], { DATA_DIR: dataDir });
    const [refused, ...others] = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("› "));
    expect([code, others], stderr).to.deep.equal([1, []]);
    expect(refused).to.match(/^DATA_DIR: \S+\/encryption-key must be a comma-separated list of name:key/);
  });

  it("report output that did not fit on the disk", async () => {
    const command = [process.execPath, ...programArguments("openapi")];
    const { status, stderr } = spawnSync("sh", ["-c", 'exec "$@" > /dev/full', "sh", ...command], { encoding: "utf8" });
    expect([status, stderr]).to.deep.equal([1, "Cannot write: no space left on device\n"]);
  });

  it("name a truncated demo.json", async () => {
    await mkdir(dataDir);
    const file = join(dataDir, "demo.json");
    await writeFile(file, '{"baseUrl":');
    const refused = await refusalOf(["listen", "--port", "0"], {});
    expect(refused).to.equal(`${file} is damaged. To create the demo again, delete ${dataDir} with all its data.`);
  });
});
