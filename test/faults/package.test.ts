import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { version } from "../../src/platform/version.ts";
import { findFreePort } from "../support/free-port.ts";
import { eventually } from "../support/eventually.ts";
import { installRelease } from "../support/releases/install.ts";

describe("The package that npm pack makes", function () {
  this.timeout(600_000);
  let directory: string;
  let server: ChildProcess | undefined;
  let output = "";

  before(async () => {
    directory = await installRelease();
    const { DATABASE_URL: _, NODE_ENV: __, ...environment } = process.env;
    // In a terminal's process group, npx gets Ctrl-C together with the program.
    const child = spawn("npx", ["merchant-api", "start"], {
      cwd: directory,
      detached: true,
      env: { ...environment, PORT: String(await findFreePort()) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    server = child;
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += String(text)));
    await eventually(
      () => output,
      (text) => /Ctrl-C stops it/.test(text) || child.exitCode !== null,
      120_000,
    );
  });

  after(async () => {
    if (server?.exitCode !== null) return;
    process.kill(-server.pid!, "SIGINT");
    await once(server, "exit");
  });

  it("starts in an empty folder with its own Node, PostgreSQL, pages and migrations", async () => {
    const [, key, list] = /curl -H "Authorization: Bearer (\S+)" "(\S+)"/.exec(output) ?? [];
    const products = await fetch(list!, { headers: { authorization: `Bearer ${key}` } });
    expect(
      [products.status, ((await products.json()) as { products: unknown[] }).products.length],
      output,
    ).to.deep.equal([200, 2]);
    for (const page of ["/admin/", "/docs"]) expect((await fetch(new URL(page, list))).status, page).to.equal(200);
    expect(await (await fetch(new URL("/livez", list))).json()).to.include({ version });
    expect(await readdir(join(directory, ".data"))).to.include("postgres");
  });

  it("has the pages that its messages and its other pages name", async () => {
    const root = join(directory, "node_modules/merchant-api");
    const files = (await readdir(root, { recursive: true })).filter((name) => !name.startsWith("node_modules"));
    const named = new Set<string>();
    for (const name of files.filter((each) => /\.(js|md)$/.test(each))) {
      const content = await readFile(join(root, name), "utf8");
      for (const [page] of content.matchAll(/\bdocs\/[\w/-]+\.md\b/g)) named.add(page);
      if (!name.endsWith(".md")) continue;
      for (const [, link] of content.matchAll(/\]\((?!https?:)([^)#]+)/g)) named.add(join(dirname(name), link!));
    }
    expect([...named].filter((page) => !files.includes(page))).to.deep.equal([]);
  });

  it("has no tool of development", async () => {
    const packages = await readdir(join(directory, "node_modules"));
    expect(packages).to.include("pg");
    for (const tool of ["mocha", "tsx", "typescript", "vite"]) expect(packages).not.to.include(tool);
  });
});
