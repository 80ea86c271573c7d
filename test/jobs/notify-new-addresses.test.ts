import { expect } from "chai";
import { newId } from "../../src/core/model/ids.ts";
import { digestLetter } from "../../src/jobs/mail/letters.ts";
import { notifyNewAddresses } from "../../src/jobs/mail/notify-new-addresses.sql.ts";
import type { DigestNotice } from "../../src/core/notifications/mail-jobs.sql.ts";
import { useWorld } from "../support/world.ts";

describe("Staff are notified of new addresses of API keys", () => {
  const { server, key, sql } = useWorld({ own: "works through all shops" });
  let secret: string;

  beforeEach(async () => {
    secret = await key();
    await sql(`insert into hourly_requests values ($1, date_trunc('hour', now(), 'UTC'), 1, 0, 0)`);
  });

  /** Logs a request of the key, this number of minutes ago. */
  const log = (address: string, minutes: number) =>
    sql(
      `insert into api_requests (shop_id, id, request_id, api_key_id, method, route, path, status, duration_ms, created_at, address)
       select shop_id, $2, 'r', id, 'GET', '/products', '/products', 200, 1, now() - $3 * interval '1 minute', $4::inet
       from api_keys where shop_id = $1`,
      newId("req"),
      minutes,
      address,
    );

  async function letters(minutesAgo = 0): Promise<string[]> {
    await notifyNewAddresses(
      server.em.fork(),
      new Date(Date.now() - minutesAgo * 60_000),
      new AbortController().signal,
    );
    const notices = await sql<DigestNotice>(
      `update notices set mailed_at = now() where shop_id = $1 and mailed_at is null
      returning target_name as "targetName", count, details, created_at::text as "createdAt"`,
    );
    return notices.flatMap((notice) => digestLetter("API_KEY_NEW_ADDRESS", [notice], "Shop").items ?? []);
  }

  it("once, by IPv4 address and network of IPv6", async () => {
    for (const address of ["203.0.113.5", "2001:db8::1"]) await log(address, 90);
    for (const address of ["203.0.113.5", "2001:db8::2"]) await log(address, 10);
    expect(await letters()).to.deep.equal([]);
    await log("198.51.100.9", 20);
    await log("2001:db8:0:1::1", 10);
    const [item, ...others] = await letters();
    expect(item).to.include(`Test key (…${secret.slice(-4)}): 198.51.100.9, 2001:db8:0:1::/64, since `);
    expect(others).to.deep.equal([]);
    // The hour before, and the next one.
    expect(await letters(60)).to.deep.equal([]);
    expect(await letters(-60)).to.deep.equal([]);
  });

  it("but not of the first use of a key, and in short", async () => {
    await log("203.0.113.5", 10);
    expect(await letters()).to.deep.equal([]);
    await log("203.0.113.5", 90);
    for (let index = 20; index < 28; index += 1) await log(`203.0.113.${index}`, 5);
    expect((await letters())[0]).to.match(/: (203\.0\.113\.2\d, ){4}203\.0\.113\.2\d and 3 more, since /);
  });
});
