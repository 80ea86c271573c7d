import { existsSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "chai";

const pages = "{*.md,docs/**/*.md}";

/** The anchors of a page, as GitHub makes them of its headings. */
async function anchorsOf(page: string): Promise<string[]> {
  const headings = [...(await readText(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** A page without its blocks of code. */
const readText = async (page: string) => (await readFile(page, "utf8")).replaceAll(/```[\s\S]*?```/g, "");

async function expectTarget(target: string, from: string): Promise<void> {
  const [file = "", anchor] = target.split("#");
  expect(existsSync(file), `${from} → ${target}`).to.equal(true);
  if (anchor !== undefined) expect(await anchorsOf(file), `${from} → ${target}`).to.include(anchor);
}

describe("Links", () => {
  it("in pages lead to existing files and headings", async () => {
    let count = 0;
    for await (const page of glob(pages)) {
      for (const [, target = ""] of (await readText(page)).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
        count += 1;
        await expectTarget(target.startsWith("#") ? page + target : join(dirname(page), target), page);
      }
    }
    expect(count).to.be.above(100);
  });

  it("in code and deployments lead to existing pages and headings", async () => {
    let count = 0;
    for await (const file of glob("{src,admin,deploy,scripts,bench}/**/*.{ts,tsx,css,yml,yaml,json,service}")) {
      for (const [target] of (await readFile(file, "utf8")).matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)) {
        count += 1;
        await expectTarget(target, file);
      }
    }
    expect(count).to.be.above(15);
  });

  it("list all headings at the top of each long page of docs/", async () => {
    for await (const page of glob("docs/*.md")) {
      const text = await readText(page);
      const parts = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!);
      const contents = [...text.split("\n## ")[0]!.matchAll(/^- \[(.+)\]\(#.+\)$/gm)].map(([, heading]) => heading!);
      if (parts.length > 3) expect(contents, page).to.deep.equal(parts);
    }
  });
});
