import { expect } from "chai";
import { query } from "../../support/database.ts";
import { buildShop, buildStaff, type TestStaff } from "../../support/factories.ts";
import { askGraphql, logIn } from "../../support/graphql.ts";
import { useServer } from "../../support/server.ts";

const VIEWER = "{ viewer { name } }";

describe("A request with X-Session-Use", () => {
  const server = useServer();
  let staff: TestStaff;
  let session: { cookie: string };

  beforeEach(async () => {
    staff = await buildStaff(server.em, await buildShop(server.em));
    session = await logIn(server, staff);
  });

  const ask = async (use?: string) => {
    const headers = { ...session, ...(use !== undefined && { "x-session-use": use }) };
    return (await askGraphql(server, VIEWER, {}, headers)).data.viewer;
  };
  const rest = (interval: string) =>
    query(server.databaseUrl, "update sessions set last_seen_at = now() - $2::interval where staff_id = $1", [
      staff.id,
      interval,
    ]);
  const wasSeen = async () => {
    const text = "select last_seen_at > now() - interval '30 minutes' as seen from sessions where staff_id = $1";
    const [row] = await query<{ seen: boolean }>(server.databaseUrl, text, [staff.id]);
    return row!.seen;
  };

  it("none is answered, and does not extend the session", async () => {
    await rest("59 minutes");
    for (let turn = 0; turn < 3; turn += 1) expect(await ask("none")).to.deep.equal({ name: staff.email });
    expect(await wasSeen()).to.equal(false);
    await rest("60 minutes");
    expect(await ask("none")).to.equal(null);
  });

  for (const use of [undefined, "", "NONE", "none, none", "poll"]) {
    it(`${use === undefined ? "left out" : JSON.stringify(use)} uses the session`, async () => {
      await rest("59 minutes");
      expect(await ask(use)).to.deep.equal({ name: staff.email });
      expect(await wasSeen()).to.equal(true);
    });
  }
});
