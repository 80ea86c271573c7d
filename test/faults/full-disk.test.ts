import { execFileSync } from "node:child_process";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { makeDirectory } from "../support/directory.ts";
import { runCommand } from "../support/programs/command.ts";
import { isAlive } from "../support/programs/is-alive.ts";

/** Megabytes on which the start breaks off in initdb, in the migrations, and twice in the demo. */
const SIZES = [36, 40, 50, 58];

describe("The start on a disk", function () {
  this.timeout(120_000);
  let disk: string;

  /** Only root may mount. */
  async function mount(context: Mocha.Context, options: string): Promise<void> {
    disk = await makeDirectory();
    try {
      execFileSync("/bin/mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk], { stdio: "ignore" });
    } catch {
      context.skip();
    }
  }

  afterEach(function () {
    if (!this.currentTest!.isPending()) execFileSync("/bin/umount", [disk]);
  });

  async function refusal(dataDir: string): Promise<string> {
    const { code, stdout, stderr } = await runCommand(["serve"], { DATA_DIR: dataDir, PORT: "0" });
    expect(code, stderr).to.equal(1);
    // The log.
    expect(stdout).not.to.include("    at ");
    const [message, ...others] = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("› "));
    expect(others).to.deep.equal([]);
    return message!;
  }

  for (const size of SIZES) {
    it(`of ${size} MB reports that it is full, and leaves no PostgreSQL running`, async function () {
      await mount(this, `size=${size}m`);
      const dataDir = join(disk, "data");
      const message = await refusal(dataDir);
      expect(message).to.match(/^DATA_DIR: The disk of \S+ is full: \d+ MB are left, and PostgreSQL needs more\. Free/);
      expect(message).to.include(dataDir);
      for await (const file of glob(join(dataDir, "postgres/postmaster.pid"))) {
        expect(isAlive(Number((await readFile(file, "utf8")).split("\n")[0]))).to.equal(false);
      }
    });
  }

  it("that is read-only reports it", async function () {
    await mount(this, "size=100m,ro");
    const dataDir = join(disk, "data");
    expect(await refusal(dataDir)).to.equal(`DATA_DIR: Cannot make ${dataDir}: read-only file system`);
    expect(await refusal(disk)).to.match(/^DATA_DIR: Cannot open \S+: read-only file system$/);
  });
});
