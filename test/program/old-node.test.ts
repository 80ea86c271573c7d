import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect } from "chai";
import { findNodeProblem } from "../../src/node-version.ts";

const run = promisify(execFile);

/** A Node of the machine that is older than the program needs. */
async function findOldNode(): Promise<string | undefined> {
  for (const path of ["/usr/local/bin/node", "/usr/bin/node"]) {
    const version = await run(path, ["--version"]).catch(() => undefined);
    if (version && findNodeProblem(version.stdout.trim().slice(1)) !== undefined) return path;
  }
  return undefined;
}

describe("An older Node", () => {
  for (const [version, isTooOld] of [
    ["20.20.2", true],
    ["24.6.0", true],
    ["24.7.0", false],
    ["24.11.1", false],
    ["26.10.0", false],
  ] as const) {
    it(`is ${isTooOld ? "" : "not "}${version}`, () => {
      expect(findNodeProblem(version) !== undefined).to.equal(isTooOld);
    });
  }

  it("has the same limit in package.json", async () => {
    const { engines } = JSON.parse(await readFile("package.json", "utf8"));
    expect(engines).to.deep.equal({ node: ">=24.7" });
    expect(findNodeProblem("20.0.0")).to.include("requires Node.js 24.7 or newer. This is 20.0.0.");
  });

  it("loads only the check", async () => {
    const importsOf = async (file: string) =>
      (await readFile(file, "utf8")).split("\n").filter((line) => /^(import|export .* from)\b/.test(line));
    expect(await importsOf("src/main.ts")).to.deep.equal(['import { findNodeProblem } from "./node-version.ts";']);
    expect(await importsOf("src/node-version.ts")).to.deep.equal([]);
  });

  it("is reported in one line", async function () {
    const node = await findOldNode();
    if (node === undefined) return this.skip();
    for (const command of [[], ["serve"], ["--version"]]) {
      const { code, stdout, stderr } = await run(node, [process.env.TEST_PROGRAM!, ...command]).catch((error) => error);
      expect([code, stdout]).to.deep.equal([1, ""]);
      expect(stderr).to.match(
        /^merchant-api requires Node\.js 24\.7 or newer\. This is \S+\. Install it from https:.*\n$/,
      );
    }
  });
});
