import { expect } from "chai";
import { Staff } from "../../src/core/staff/accounts/staff.entity.ts";
import { useServer } from "../support/server.ts";
import { useStatementLog } from "../support/statements.ts";

describe("Statements of the entity manager", () => {
  const server = useServer();
  const log = useStatementLog();

  it("hold none of the values that they are about", async () => {
    const { result, statements } = await log.during(() =>
      server.em.transactional(async (em) => {
        const account = { id: "stf_1", email: "kim@example.com", passwordHash: "hash", createdAt: new Date() };
        await em.insert(Staff, account);
        const staff = await em.findOneOrFail(Staff, { passwordHash: "hash" });
        staff.passwordHash = "another hash";
        await em.flush();
        await em.nativeUpdate(Staff, { passwordHash: "another hash" }, { passwordHash: "a third hash" });
        return em.nativeDelete(Staff, { passwordHash: "a third hash" });
      }),
    );
    expect(result).to.equal(1);
    expect(statements.map((statement) => statement.split(" ")[0])).to.deep.equal([
      "begin",
      "insert",
      "select",
      "update",
      "update",
      "delete",
      "commit",
    ]);
    expect(statements.filter((statement) => statement.includes("'"))).to.deep.equal([]);
  });
});
