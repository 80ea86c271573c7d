import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";

const script = fileURLToPath(new URL("../../.ci/sbom", import.meta.url));

interface Locked {
  version: string;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
}

describe(".ci/sbom", () => {
  it("lists exactly the packages of production and pages in the lock file", async () => {
    const { stdout } = await promisify(execFile)(script, { maxBuffer: Infinity });
    const { metadata, components } = JSON.parse(stdout) as {
      metadata: { component: { name: string } };
      components: { purl: string }[];
    };
    expect(metadata.component.name).to.equal("merchant-api");
    const named = components.map(({ purl }) => decodeURIComponent(purl).replace(/^pkg:npm\//, ""));

    const { packages } = JSON.parse(await readFile("package-lock.json", "utf8")) as {
      packages: Record<string, Locked>;
    };
    const locked = Object.entries(packages)
      .filter(([path, { dev, optional, devOptional }]) => path && !dev && !optional && !devOptional)
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, "")}@${version}`);
    expect(locked.map((name) => name.replace(/@[^@]*$/, ""))).to.include.members(["graphql", "pg", "react-dom"]);
    expect(new Set(named)).to.deep.equal(new Set(locked));
  });
});
