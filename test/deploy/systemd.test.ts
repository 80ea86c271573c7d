import { execFile } from "node:child_process";
import { cp, glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { makeDirectory } from "../support/directory.ts";

const run = promisify(execFile);

const isRequired = process.env.REQUIRE_SYSTEMD_ANALYZE === "1";

describe("The units in deploy/systemd", () => {
  let directory: string;

  before(async function () {
    try {
      await run("systemd-analyze", ["--version"]);
    } catch (error) {
      if (isRequired) throw error;
      console.warn("  SKIPPED: no systemd-analyze found, which verifies the units");
      this.skip();
    }
  });

  beforeEach(async () => {
    directory = await makeDirectory();
    await cp("deploy/systemd", directory, { recursive: true });
    for await (const file of glob(join(directory, "*.service"))) {
      // Where Node is on this machine: verifying looks for it.
      await writeFile(file, (await readFile(file, "utf8")).replace("/usr/local/bin/node", process.execPath));
    }
  });

  /** Lists the faults that systemd finds in the units and in the file that they share. */
  async function findFaults(): Promise<string> {
    const files: string[] = [];
    for await (const file of glob(join(directory, "*.service"))) files.push(file.replace("@", "@4000"));
    const env = { ...process.env, SYSTEMD_UNIT_PATH: `${directory}:` };
    return run("systemd-analyze", ["verify", ...files], { env }).then(
      ({ stderr }) => stderr,
      ({ stderr }) => stderr as string,
    );
  }

  it("are valid for systemd", async () => {
    expect(await findFaults()).to.equal("");
  });

  for (const file of ["merchant-api-api@.service", "merchant-api-.service.d/common.conf"]) {
    it(`are invalid with an unknown directive in ${file}`, async () => {
      const path = join(directory, file);
      await writeFile(path, (await readFile(path, "utf8")).replace("[Service]", "[Service]\nRestrat=always"));
      expect(await findFaults()).to.include("Restrat");
    });
  }
});
