import { execFile } from "node:child_process";
import { chmod, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { makeDirectory } from "../support/directory.ts";

const run = promisify(execFile);
const DIGEST = `sha256:${"0a".repeat(32)}`;
/** A Docker that does not run, and one that builds an image of that digest. */
const WITHOUT_DOCKER = "exit 1";
const WITH_DOCKER = `case "$*" in *--metadata-file*) echo '{"containerimage.digest":"${DIGEST}"}' >release/image.json;; esac`;

/** A repository of a release that is made up, whose package needs no build. */
async function makeRepository(heading: string, fixture = "12.3.4.json.gz"): Promise<string> {
  const directory = await makeDirectory();
  for (const name of [".ci", ".gitignore", "package.json", "package-lock.json"]) {
    await cp(name, join(directory, name), { recursive: true });
  }
  await writeFile(join(directory, "CHANGELOG.md"), `# Changelog\n\n${heading}\n`);
  await mkdir(join(directory, "test/releases"), { recursive: true });
  await writeFile(join(directory, "test/releases", fixture), "");
  const git = (...args: string[]) => run("git", args, { cwd: directory });
  await run("npm", ["pkg", "delete", "scripts.prepack"], { cwd: directory });
  await run("npm", ["version", "--no-git-tag-version", "12.3.4"], { cwd: directory });
  await git("init", "--quiet");
  await git("add", "--all");
  await git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message", "Release");
  return directory;
}

async function release(
  directory: string,
  docker: string,
  trivy = "exit 0",
): Promise<{ code: unknown; stderr: string; files: string[] }> {
  const tools = join(await makeDirectory(), "bin");
  await mkdir(tools);
  for (const [name, script] of Object.entries({ docker, trivy })) {
    await writeFile(join(tools, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(tools, name), 0o755);
  }
  // No registry answers.
  const registry = { npm_config_registry: "http://127.0.0.1:9", npm_config_fetch_retries: "0" };
  const env = { ...process.env, ...registry, PATH: `${tools}${delimiter}${process.env.PATH}` };
  const { code, stderr } = await run(join(directory, ".ci/release"), { env }).then(
    (output) => ({ code: 0, stderr: output.stderr }),
    (error: { code: unknown; stderr: string }) => error,
  );
  const files = await readdir(join(directory, "release")).catch(() => []);
  return { code, stderr, files: files.toSorted() };
}

describe(".ci/release", () => {
  it("writes the package, the bill of materials and the image's digest to an ignored directory", async () => {
    const directory = await makeRepository("## 12.3.4 - 2026-12-24");
    const { code, files } = await release(directory, WITH_DOCKER);
    expect([code, ...files]).to.deep.equal([
      0,
      "image.json",
      "merchant-api-12.3.4.digest",
      "merchant-api-12.3.4.tgz",
      "sbom.json",
    ]);
    expect(await readFile(join(directory, "release/merchant-api-12.3.4.digest"), "utf8")).to.equal(`${DIGEST}\n`);
    const { metadata } = JSON.parse(await readFile(join(directory, "release/sbom.json"), "utf8"));
    expect(metadata.component.version).to.equal("12.3.4");
    expect((await run("git", ["status", "--porcelain"], { cwd: directory })).stdout).to.equal("");
  });

  it("warns about the missing image without Docker, and continues", async () => {
    const { code, stderr, files } = await release(await makeRepository("## [12.3.4] - 2026-12-24"), WITHOUT_DOCKER);
    expect([code, ...files]).to.deep.equal([0, "merchant-api-12.3.4.tgz", "sbom.json"]);
    expect(stderr).to.include("SKIPPED: THE IMAGE WAS NOT BUILT");
  });

  it("fails when the scan finds vulnerabilities in the image", async () => {
    const trivy = `echo "$*" >&2; exit 1`;
    const { code, stderr } = await release(await makeRepository("## 12.3.4"), WITH_DOCKER, trivy);
    expect(code).to.equal(1);
    expect(stderr).to.include("--input release/merchant-api-12.3.4.tar");
  });

  it("refuses uncommitted changes", async () => {
    const directory = await makeRepository("## 12.3.4 - 2026-12-24");
    await writeFile(join(directory, "new.ts"), "");
    const { code, stderr, files } = await release(directory, WITH_DOCKER);
    expect([code, ...files]).to.deep.equal([1]);
    expect(stderr).to.include("not committed").and.to.include("new.ts");
  });

  it("refuses a version without its fixture", async () => {
    const { code, stderr, files } = await release(await makeRepository("## 12.3.4", "12.3.3.json.gz"), WITH_DOCKER);
    expect([code, ...files]).to.deep.equal([1]);
    expect(stderr).to.include("no fixture of 12.3.4");
  });

  for (const heading of ["## Unreleased", "## 12.3.40 - 2026-12-24", "## 1203.4", "### 12.3.4"]) {
    it(`refuses a version without a heading in the changelog, as under ${heading}`, async () => {
      const { code, stderr, files } = await release(await makeRepository(heading), WITH_DOCKER);
      expect([code, ...files]).to.deep.equal([1]);
      expect(stderr).to.include("no heading for 12.3.4");
    });
  }
});
