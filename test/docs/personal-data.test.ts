import { glob, readFile } from "node:fs/promises";
import { expect } from "chai";
import { permissionsByRole } from "../../src/core/access/permissions.ts";
import { Permission } from "../../src/core/model/permissions.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";

describe("The page about personal data", () => {
  let page: string;
  before(async () => (page = await readFile("docs/personal-data.md", "utf8")));

  it("says of each table whether it holds some", async () => {
    const tables: string[] = [];
    for await (const file of glob("src/core/model/**/*.entity.ts")) {
      const found = (await readFile(file, "utf8")).matchAll(/@Entity\(\{ tableName: "(\w+)" \}\)/g);
      tables.push(...[...found].map(([, table]) => table!));
    }
    const [, withSome = "", without = ""] = page.split(/^## (?:Tables with personal data|Tables without)$/m);
    const rows = withSome.match(/^\| `.+?\|/gm)!.join();
    const listed = [...(rows + without).matchAll(/`([a-z_]+)`/g)].map(([, table]) => table!);
    expect(listed.toSorted()).to.deep.equal(tables.toSorted());
  });

  it("gives each permission to the roles that have it", () => {
    const rows = [...page.matchAll(/^\| (`[A-Z_]+`[^|]*) \| ([^|;]+)(?:;[^|]*)? \|/gm)];
    const described = rows.flatMap(([, permissions, roles]) =>
      permissions!.match(/[A-Z_]+/g)!.map((permission) => ({ permission, roles })),
    );
    const actual = described.map(({ permission }) => {
      const roles = Object.values(Role).filter((role) => permissionsByRole[role].includes(permission as Permission));
      const isForAll = roles.length === Object.values(Role).length;
      return { permission, roles: isForAll ? "all" : roles.join(", ").toLowerCase() };
    });
    expect(described).to.deep.equal(actual).and.have.length.above(4);
  });

  it("names permissions that exist", () => {
    const named = page.match(/`(?:READ|WRITE)_[A-Z]+`|`SETTINGS`/g)!.map((text) => text.slice(1, -1));
    expect(Object.values(Permission)).to.include.members(named);
  });
});
