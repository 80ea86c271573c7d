import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import pg from "pg";
import { query } from "../support/database.ts";
import { makeDirectory } from "../support/directory.ts";
import { eventually } from "../support/eventually.ts";
import { OwnPostgres } from "../support/postgres/own-postgres.ts";
import { runCommand } from "../support/programs/command.ts";
import { programArguments } from "../support/programs/program.ts";
import { useServer } from "../support/server.ts";
import { World } from "../support/world.ts";

const encryptionKeys = [{ name: "cells", key: randomBytes(32) }];
const ENCRYPTION_KEYS = encryptionKeys.map(({ name, key }) => `${name}:${key.toString("base64")}`).join();
const CUSTOMERS = 50_000;
const MEGABYTE = 1024 * 1024;

describe("Live moves that cannot continue", function () {
  this.timeout(300_000);
  let disk: string | undefined;
  /** Only root may mount a separate disk for the destination. */
  const openDisk = async () => {
    const directory = await makeDirectory();
    try {
      execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=1g", "tmpfs", directory], { stdio: "ignore" });
      disk = directory;
    } catch {}
    await mkdir(join(directory, "data"));
    return join(directory, "data");
  };
  const postgres = new OwnPostgres({ wal_level: "logical" });
  const other = new OwnPostgres({}, undefined, openDisk);
  const from = useServer({ openDatabase: postgres.open, config: { encryptionKeys } });
  const to = useServer({ openDatabase: other.open, config: { encryptionKeys } });
  let world: World;

  before(async () => {
    world = await new World(from).open();
    await query(
      from.databaseUrl,
      `insert into customers (shop_id, id, email, first_name, last_name, search_words, created_at, updated_at)
       select $1, 'cus_' || lpad(upper(to_hex(n)), 26, '0'), n || '@example.com', 'Test', 'Customer', '', now(), now()
       from generate_series(1, $2::int) n`,
      [world.shop.id, CUSTOMERS],
    );
  });
  after(() => void (disk && execFileSync("/bin/umount", ["-l", disk])));

  const command = (...options: string[]) =>
    ["shops", "move", "--live", "--shop", world.shop.id, "--to", to.databaseUrl].concat(options);
  const environment = () => ({ DATABASE_URL: from.databaseUrl, ENCRYPTION_KEYS });
  const move = (...options: string[]) => runCommand(command(...options), environment());
  /** Starts a move and kills it during the copy. Returns its progress. */
  const interrupt = () => {
    const env = { ...process.env, ...environment() };
    const mover = spawn(process.execPath, programArguments(...command()), { env });
    mover.stderr.on("data", (line: Buffer) => line.includes("Copied") && mover.kill("SIGKILL"));
    return text(mover.stderr);
  };
  const ask = async <Value>({ databaseUrl }: { databaseUrl: string }, expression: string) =>
    (await query<{ value: Value }>(databaseUrl, `select ${expression} as value`))[0]!.value;
  const dropSlots = (pattern: string) =>
    eventually(async () => {
      await query(from.databaseUrl, "select pg_terminate_backend(active_pid) from pg_replication_slots");
      const drop = "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name ~ $1";
      return query(from.databaseUrl, drop, [pattern]).then(
        () => true,
        () => false,
      );
    }, Boolean);

  it("say what is in their way before they start", async () => {
    await query(
      from.databaseUrl,
      `insert into imports (shop_id, id, kind, state, file_name, file_size, actor, created_at)
       values ($1, 'imp_' || repeat('0', 26), 'PRODUCTS', 'CHECKED', 'tea.csv', 1, '{}', now())`,
      [world.shop.id],
    );
    await world.ask("mutation ($shopId: ID!) { createSandbox(shopId: $shopId, content: EMPTY) { id } }");
    const possible = await move("--dry-run");
    expect(possible.stderr).to.match(/The copy needs about \d+ MB/);
    expect(possible.stderr).to.include('The import of "tea.csv" (CHECKED) does not move');
    const sandbox = `Test Shop (Sandbox) does not move. For a new one, run there: merchant-api shops sandbox --shop ${world.shop.id}`;
    expect(possible.stderr).to.include(sandbox);
    expect(possible.code).to.equal(0);
    const undone = await move("--undo");
    expect(undone.stderr).to.match(/^There is no move of this shop to take back$/m);
    expect(undone.code).to.equal(1);
  });

  it("refuse a disk without room", async function () {
    if (disk === undefined) return this.skip();
    const { bavail, bsize } = await statfs(disk);
    await writeFile(join(disk, "filler"), Buffer.alloc(bavail * bsize - 40 * MEGABYTE));
    const refused = await move("--dry-run");
    await writeFile(join(disk, "filler"), "");
    expect(refused.stderr).to.match(
      /^The copy needs about \d+ MB on the disk of the destination, which has (39|40) MB left$/m,
    );
    expect(refused.code).to.equal(1);
  });

  it("end after a minute without progress", async () => {
    const client = new pg.Client(to.databaseUrl);
    await client.connect();
    await client.query("begin");
    // The copy of the table waits.
    await client.query("lock table customers in share mode");
    const { code, stderr } = await move();
    await client.end();
    expect(stderr).to.match(/^The copy makes no progress\. The logs of both PostgreSQL servers have the reason\./m);
    expect(code).to.equal(1);
    expect((await move("--undo")).code).to.equal(0);
  });

  it("start over where PostgreSQL can never continue", async () => {
    await interrupt();
    await dropSlots("^move_");
    expect(await interrupt()).to.match(/move_shop_\w+ is missing at the source.*Starting the copy over/);
    await query(from.databaseUrl, `drop publication move_${world.shop.id}`);
    expect(await interrupt()).to.match(/The publication is missing. Starting the copy over/);
    // As a crash leaves it between the end of a table's slot and the commit of the table's state.
    const worker = "(select pid from pg_stat_subscription where relid is null)";
    const pid = await eventually(() => ask<number>(to, worker), Boolean);
    process.kill(pid, "SIGSTOP");
    const isCopied = "exists (select from pg_subscription_rel where srsubstate = 'f')";
    await eventually(() => ask<boolean>(to, isCopied), Boolean);
    const crashed = other.crash("KILLED");
    process.kill(pid, "SIGKILL");
    await crashed;
    await dropSlots("_sync_");
    await other.start();
    const { code, stderr } = await move();
    expect(stderr).to.match(/_sync_\w+ is missing at the source.*Starting the copy over/);
    expect(code, stderr).to.equal(0);
    expect(await ask(to, "(select count(*)::int from customers)")).to.equal(CUSTOMERS);
    expect(await ask(from, "(select count(*)::int from pg_replication_slots)")).to.equal(0);
  });
});
