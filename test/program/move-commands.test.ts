import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "chai";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { runCommand } from "../support/programs/command.ts";
import { programArguments } from "../support/programs/program.ts";
import { query } from "../support/database.ts";
import { makeDirectory } from "../support/directory.ts";
import { buildEndpoint, buildShop } from "../support/factories.ts";
import { closeLongAgo } from "../support/shops/moves.ts";
import { useServer, type TestServer } from "../support/server.ts";

describe("The commands that move a shop", function () {
  this.timeout(120_000);
  const key = { name: "test", key: randomBytes(32) };
  const source = useServer({ config: { encryptionKeys: [key] } });
  const target = useServer({ config: { encryptionKeys: [key] } });
  let shop: Shop;
  let directory: string;

  const run = ({ databaseUrl }: TestServer, command: string[], typed = "") =>
    runCommand(
      command,
      { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: `${key.name}:${key.key.toString("base64")}` },
      typed,
    );
  const plan = ({ databaseUrl }: TestServer) =>
    query(databaseUrl, "select plan, closed_at is not null as closed from shops where id = $1", [shop.id]);

  beforeEach(async () => {
    directory = await makeDirectory();
    shop = await buildShop(source.em);
    await buildEndpoint(source, shop, "https://receiver.example/hooks");
  });

  it("write a private file, and import it elsewhere", async () => {
    const file = join(directory, "shop.jsonl");
    const closed = await run(source, ["shops", "close", "--shop", shop.id]);
    expect([closed.code, closed.stderr]).to.deep.equal([0, ""]);
    expect(closed.stdout).to.match(/^CLOSED AT +2\d/m);
    await closeLongAgo(source, shop);
    const written = await run(source, ["export", "--shop", shop.id, "--file", file]);
    expect([written.code, written.stdout], written.stderr).to.deep.equal([0, ""]);
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    const taken = await run(target, ["import", "--file", file]);
    expect([taken.code, taken.stdout], taken.stderr).to.deep.equal([0, `${shop.id}\n`]);
    expect(await plan(target)).to.deep.equal([{ plan: "ENTERPRISE", closed: false }]);
    expect(await plan(source)).to.deep.equal([{ plan: "ENTERPRISE", closed: true }]);
    const opened = await run(source, ["shops", "open", "--shop", shop.id]);
    expect([opened.code, opened.stderr]).to.deep.equal([0, ""]);
    expect(opened.stdout).to.match(/^CLOSED AT +–/m);
    expect(await plan(source)).to.deep.equal([{ plan: "ENTERPRISE", closed: false }]);
  });

  it("move a shop through a pipe", async () => {
    await closeLongAgo(source, shop);
    const { stdout } = await run(source, ["export", "--shop", shop.id]);
    const taken = await run(target, ["import"], stdout);
    expect([taken.code, taken.stdout], taken.stderr).to.deep.equal([0, `${shop.id}\n`]);
  });

  it("report mistakes in one line, and leave no file", async () => {
    const file = join(directory, "shop.jsonl");
    const there = join(directory, "there.jsonl");
    const missing = join(directory, "no", "where");
    await writeFile(there, "precious");
    for (const [command, message] of [
      [["export", "--shop", shop.id, "--file", file], `shop is open: .* shops close --shop ${shop.id}`],
      [["export", "--shop", shop.id, "--file", there], `^Cannot open ${there}: file already exists$`],
      [["export", "--shop", shop.id, "--file", missing], `^Cannot open ${missing}: no such file or directory$`],
      [["import", "--file", missing], `^Cannot open ${missing}: no such file or directory$`],
      [["import", "--file", there], "The file was not written by merchant-api shops export"],
    ] as const) {
      const { code, stdout, stderr } = await run(source, [...command]);
      expect([code, stdout], stderr).to.deep.equal([1, ""]);
      expect(stderr).to.match(new RegExp(message, "m"));
      expect(stderr.trimEnd()).not.to.include("\n");
    }
    expect(await readFile(there, "utf8")).to.equal("precious");
    expect(await stat(file).catch(() => undefined)).to.equal(undefined);
  });

  it("leave no file when an export is stopped while it waits", async () => {
    const file = join(directory, "shop.jsonl");
    await run(source, ["shops", "close", "--shop", shop.id]);
    const command = programArguments("export", "--shop", shop.id, "--file", file);
    const child = spawn(process.execPath, command, { env: { ...process.env, DATABASE_URL: source.databaseUrl } });
    for await (const line of createInterface({ input: child.stderr })) {
      if (line.includes("Waiting")) child.kill("SIGTERM");
    }
    expect(await stat(file).catch(({ code }: NodeJS.ErrnoException) => code)).to.equal("ENOENT");
  });
});
