import { expect } from "chai";
import { bareAddress } from "../../../src/platform/http/client.ts";
import { query } from "../../support/database.ts";
import { buildShop, buildStaff } from "../../support/factories.ts";
import { logInFrom, someAddress, tally, times, wrong } from "../../support/staff/logins.ts";
import { collectLines } from "../../support/telemetry/log-lines.ts";
import { useServer, type TestServer } from "../../support/server.ts";

describe("The address of an X-Forwarded-For entry", () => {
  for (const [entry, address] of [
    ["203.0.113.11", "203.0.113.11"],
    ["203.0.113.11:5566", "203.0.113.11"],
    ["2001:db8::1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["::ffff:203.0.113.11", "::ffff:203.0.113.11"],
    ["2001:db8::1:443", "2001:db8::1:443"],
    ["", undefined],
    ["unknown", undefined],
    ["_hidden:80", undefined],
    ["203.0.113.11:", undefined],
    ["203.0.113.999:80", undefined],
    ["203.0.113.11:80:80", undefined],
    ["[203.0.113.11]:80", undefined],
    ["[2001:db8::1", undefined],
    ["2001:db8::1]:443", undefined],
    ["[]:443", undefined],
  ] as const) {
    it(`is ${address ?? "none"} in "${entry}"`, () => {
      expect(bareAddress(entry)).to.equal(address);
    });
  }
});

describe("X-Forwarded-For", () => {
  const { logger, lines } = collectLines("warn");
  const warnings = () => lines.filter(({ level }) => level >= 40).map(({ msg }) => msg);

  beforeEach(() => {
    lines.length = 0;
  });

  async function addressesOf(server: TestServer, header: string): Promise<unknown> {
    const owner = await buildStaff(server.em, await buildShop(server.em));
    await logInFrom(server, header, owner);
    return query(server.databaseUrl, "select address from sessions where staff_id = $1", [owner.id]);
  }

  describe("from a trusted proxy", () => {
    const server = useServer({ config: { trustedProxies: 1 }, logger });

    it("may contain ports, which do not split a client", async () => {
      expect(await addressesOf(server, "203.0.113.11:5566")).to.deep.equal([{ address: "203.0.113.11" }]);
      expect(await addressesOf(server, "unknown, [2001:db8::1]:443")).to.deep.equal([{ address: "2001:db8::1" }]);
      expect(await addressesOf(server, "[::ffff:203.0.113.11]:80")).to.deep.equal([{ address: "203.0.113.11" }]);
      const owner = await buildStaff(server.em, await buildShop(server.em));
      const address = someAddress();
      const guesses = times(12, (index) => logInFrom(server, `${address}:${5000 + index}`, wrong(owner)));
      expect(await tally(guesses)).to.deep.equal({ INVALID_CREDENTIALS: 10, RATE_LIMITED: 2 });
    });

    it("falls back to the connection's address", async () => {
      expect(await addressesOf(server, "203.0.113.11, unknown")).to.deep.equal([{ address: "127.0.0.1" }]);
      expect(warnings()).to.deep.equal([]);
    });
  });

  describe("without a trusted proxy", () => {
    const server = useServer({ logger });

    it("is ignored, with one warning in the log", async () => {
      await fetch(`${server.url}/livez`);
      expect(warnings()).to.deep.equal([]);
      expect(await addressesOf(server, "203.0.113.11")).to.deep.equal([{ address: "127.0.0.1" }]);
      await fetch(`${server.url}/livez`, { headers: { "x-forwarded-for": "203.0.113.12" } });
      expect(warnings()).to.have.length(1);
      expect(warnings()[0]).to.include("TRUSTED_PROXIES is 0").and.not.to.include("203.0.113");
    });
  });
});
