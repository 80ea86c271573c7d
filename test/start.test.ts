import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { runCommand } from "./support/command.ts";

describe("The start", function () {
  this.timeout(60_000);
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "merchant-api-refused-"));
  });

  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  for (const command of ["serve", "api", "worker"]) {
    it(`is refused to ${command} in production without what production needs, and makes nothing`, async () => {
      const { code, stdout, stderr } = await runCommand([command], { NODE_ENV: "production", DATA_DIR: dataDir });
      expect([code, stdout]).to.deep.equal([1, ""]);
      for (const name of ["DATABASE_URL", "BASE_URL", "ENCRYPTION_KEYS"]) expect(stderr).to.include(`\n  ${name}: `);
      expect(stderr).not.to.match(/^\s+at /m);
      expect(existsSync(join(dataDir, "demo.json"))).to.equal(false);
      expect(existsSync(join(dataDir, "postgres"))).to.equal(false);
    });
  }
});
