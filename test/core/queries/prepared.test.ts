import { expect } from "chai";
import { sql } from "kysely";
import { kysely, prepared } from "../../../src/core/queries/database.ts";
import { useServer } from "../../support/server.ts";

describe("A prepared query", () => {
  const server = useServer();

  it("is built once, for the values of each call", async () => {
    let built = 0;
    const echo = async (text: string) => {
      const rows = await prepared(kysely(server.em), "an echo", { other: "b", text }, ({ text: given, other }) => {
        built += 1;
        return kysely(server.em).selectNoFrom([
          sql<string>`${given}::text`.as("text"),
          sql`${other}::text`.as("other"),
        ]);
      });
      return rows[0]!.text;
    };
    expect([await echo("first"), await echo("second"), built]).to.deep.equal(["first", "second", 1]);
  });

  it("holds no value of a single call", async () => {
    const secret = "of one shop";
    const work = prepared(kysely(server.em), "a leak", { id: "1" }, () =>
      kysely(server.em).selectNoFrom(sql`${secret}::text`.as("text")),
    );
    const error = await work.catch((cause: unknown) => cause);
    expect(error).to.have.property("message", 'The query "a leak" has a parameter that is not among its values');
  });

  it("leaves no value out", async () => {
    const work = prepared(kysely(server.em), "a gap", { id: "1", vendor: "Nordwind" }, ({ id }) =>
      kysely(server.em).selectNoFrom(sql`${id}::text`.as("id")),
    );
    const error = await work.catch((cause: unknown) => cause);
    expect(error).to.have.property("message", 'The query "a gap" does not use vendor');
  });
});
