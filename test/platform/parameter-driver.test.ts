import { raw } from "@mikro-orm/postgresql";
import { expect } from "chai";
import { newId } from "../../src/core/model/ids.ts";
import { Staff } from "../../src/core/model/staff/staff.entity.ts";
import { useServer } from "../support/server.ts";
import { useStatementLog } from "../support/postgres/statements.ts";

describe("Statements of the entity manager", () => {
  const server = useServer();
  const log = useStatementLog();

  it("contain no values", async () => {
    const { result, statements } = await log.during(() =>
      server.em.transactional(async (em) => {
        const account = { id: newId("stf"), email: "kim@example.com", passwordHash: "hash", createdAt: new Date() };
        await em.insert(Staff, account);
        const staff = await em.findOneOrFail(Staff, { passwordHash: "hash" });
        staff.passwordHash = "another hash";
        await em.flush();
        await em.nativeUpdate(Staff, { passwordHash: "another hash" }, { passwordHash: "a third hash" });
        const inSql = { passwordHash: raw("upper(password_hash)"), disabledAt: new Date() };
        const unchanged = { passwordHash: "a third hash", createdAt: { $gt: raw("to_timestamp(0)") } };
        await em.nativeUpdate(Staff, unchanged, inSql);
        return em.nativeDelete(Staff, { passwordHash: "A THIRD HASH", disabledAt: { $ne: null } });
      }),
    );
    expect(result).to.equal(1);
    expect(statements.map((statement) => statement.split(" ")[0])).to.deep.equal([
      "begin",
      "insert",
      "select",
      "update",
      "update",
      "update",
      "delete",
      "commit",
    ]);
    expect(statements.filter((statement) => statement.includes("'"))).to.deep.equal([]);
  });
});
