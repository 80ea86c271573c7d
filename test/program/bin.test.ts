import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { version } from "../../src/platform/version.ts";
import { makeDirectory } from "../support/directory.ts";

const run = promisify(execFile);

describe("The command merchant-api", () => {
  let bin: string;

  /** Puts what package.json names into a directory, as a release has it. */
  async function install(directory: string): Promise<string> {
    const description = JSON.parse(await readFile("package.json", "utf8"));
    const file = join(directory, description.bin["merchant-api"]);
    await mkdir(dirname(file), { recursive: true });
    await copyFile(description.bin["merchant-api"], file);
    return file;
  }

  before(async () => {
    // Beside the compiled program, and found by a link, as `npm link` and the image make one.
    const file = await install(dirname(dirname(dirname(process.env.TEST_PROGRAM!))));
    bin = join(await makeDirectory(), "merchant-api");
    await symlink(file, bin);
  });

  it("runs its arguments", async () => {
    expect((await run(bin, ["--version"])).stdout).to.equal(`${version}\n`);
    const { code, stderr } = await run(bin, ["shops", "show"]).catch((error) => error);
    expect([code, stderr]).to.deep.equal([
      1,
      "error: missing options: --shop <id>\n(run with --help for a list of commands and options)\n",
    ]);
  });

  it("reports that it is not built", async () => {
    const file = await install(await makeDirectory());
    const { code, stderr } = await run(file, ["--version"]).catch((error) => error);
    expect([code, stderr]).to.deep.equal([1, "merchant-api is not built yet. Run: npm run build\n"]);
  });
});
