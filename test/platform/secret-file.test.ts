import { randomBytes } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { readSecretFile } from "../../src/platform/files.ts";
import { makeDirectory } from "../support/directory.ts";

describe("A secret in a file", () => {
  let directory: string;

  beforeEach(async () => {
    directory = await makeDirectory();
  });

  it("is the same and complete for concurrent processes", async () => {
    for (let round = 0; round < 5; round += 1) {
      const file = join(directory, String(round), "secret");
      const make = () => randomBytes(1024 * 1024).toString("hex");
      const read = await Promise.all(Array.from({ length: 8 }, () => readSecretFile(file, make)));
      expect(new Set(read.map((secret) => secret.length))).to.deep.equal(new Set([2 * 1024 * 1024]));
      expect(new Set(read).size).to.equal(1);
      expect(await readSecretFile(file, make)).to.equal(read[0]);
      expect(await readdir(join(directory, String(round)))).to.deep.equal(["secret"]);
    }
  });

  it("is readable only by its owner", async function () {
    if (process.platform === "win32") this.skip();
    const file = join(directory, "secret");
    await readSecretFile(file, () => "secret");
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
  });
});
