import { glob, readFile } from "node:fs/promises";
import { expect } from "chai";

describe("The list of SQL that is written by hand", () => {
  it("has every file that runs some, and no other", async () => {
    const page = await readFile("docs/decisions/construction.md", "utf8");
    const table = page.slice(page.indexOf("| SQL by hand |"), page.indexOf("The first 500 statements"));
    const listed = [...table.matchAll(/`([a-z/-]+\.ts)`/g)].map(([, file]) => file!);
    const running: string[] = [];
    for await (const file of glob("**/*.ts", { cwd: "src" })) {
      if (/runStatement|client\.query/.test(await readFile(`src/${file}`, "utf8"))) running.push(file);
    }
    expect(listed.toSorted()).to.deep.equal(running.filter((file) => file !== "core/queries/database.ts").toSorted());
  });
});
