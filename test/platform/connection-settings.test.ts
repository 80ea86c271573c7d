import { expect } from "chai";
import { describe, it } from "mocha";
import { withSettings } from "../../src/platform/postgres/pool.ts";
import { cloneDatabase, query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { useServer } from "../support/server.ts";

/** Keeps what each session that logs in has set. */
const observeLogins = `
  create table logins (name text, jit text);
  create function observe_login() returns event_trigger language plpgsql security definer as $$
    begin
      insert into logins values (current_setting('application_name'), current_setting('jit'));
    end $$;
  create event trigger observe_logins on login execute function observe_login();
  alter event trigger observe_logins enable always;`;

describe("PostgreSQL connections", () => {
  const server = useServer({
    worker: true,
    openDatabase: async () => {
      const database = await cloneDatabase();
      await query(database.url, observeLogins);
      return database;
    },
  });

  it("never use JIT compilation", async () => {
    await fetch(`${server.url}/health`);
    const logins = () =>
      query<{ name: string; jit: string }>(
        server.databaseUrl,
        "select distinct name, jit from logins where name like 'merchant-api%' order by name",
      );
    const seen = await eventually(logins, (rows) => rows.length >= 3);
    expect(seen.map(({ name }) => name)).to.include.members(["merchant-api", "merchant-api jobs"]);
    expect(seen.map(({ jit }) => jit)).to.deep.equal(seen.map(() => "off"));
  });

  it("keep the settings of DATABASE_URL", async () => {
    await query(server.databaseUrl, "drop event trigger observe_logins");
    const url = `${server.databaseUrl}?options=-c%20search_path%3Dshared&sslmode=disable`;
    const [row] = await query<{ path: string; jit: string; cost: string }>(
      withSettings(url, { jit_above_cost: "7" }),
      "select current_setting('search_path') as path, current_setting('jit') as jit, current_setting('jit_above_cost') as cost",
    );
    expect(row).to.deep.equal({ path: "shared", jit: "off", cost: "7" });
    expect(withSettings(url)).to.contain("sslmode=disable");
  });
});
