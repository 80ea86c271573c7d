import { expect } from "chai";
import { operator } from "../src/core/access/actor.ts";
import { closeShop, openShop } from "../src/core/moves/close-shop.ts";
import { Role } from "../src/core/model/staff/staff.entity.ts";
import { findLostDeliveries } from "../src/jobs/sending/find-lost-deliveries.sql.ts";
import { recordNotices } from "../src/core/notifications/record-notices.sql.ts";
import { NotificationKind } from "../src/core/model/notifications/notification-kind.ts";
import { sendDigest } from "../src/jobs/mail/send-digest.ts";
import { mailJobs } from "./support/mail/mail-jobs.ts";
import { query } from "./support/database.ts";
import { eventually } from "./support/eventually.ts";
import { askGraphql } from "./support/graphql.ts";
import { buildInvitation } from "./support/staff/invitations.ts";
import { expectShown } from "./support/requests/openapi-examples.ts";
import { collectLines } from "./support/telemetry/log-lines.ts";
import { useWebhookShop } from "./support/webhooks/webhook-shop.ts";

const READ = "query ($shopId: ID!) { shop(id: $shopId) { id products { total } } }";
const WRITE = 'mutation ($shopId: ID!) { updateShop(shopId: $shopId, input: { name: "Another" }) { id } }';
const JOIN = 'mutation ($token: String!) { acceptInvitation(token: $token, password: "a password of theirs") { id } }';

describe("A closed shop", () => {
  const shop = useWebhookShop({ worker: true });
  const { server } = shop;
  const close = () => closeShop({ em: server.em, shop: shop.shop, actor: operator });
  const open = () => openShop({ em: server.em, shop: shop.shop, actor: operator });
  const jobs = () =>
    query<{ run_at: Date }>(
      server.databaseUrl,
      "select run_at from graphile_worker.jobs where flags ? $1 order by run_at",
      [shop.endpointId],
    );
  const noJobs = () => eventually(jobs, ({ length }) => length === 0);

  it("refuses keys, services, staff and new members until it is opened", async () => {
    await shop.key();
    const service = await shop.asService("READ_PRODUCTS");
    const guest = { email: "guest@example.com", role: Role.CLERK };
    const token = await buildInvitation(server, shop.shop.id, operator, guest);
    const session: Record<string, string> = await shop.session();
    const rest = () => shop.call("GET", "/products");
    const graphql = (document: string, headers = session) =>
      askGraphql(server, document, { shopId: shop.shop.id, token }, headers);
    await close();
    const answer = await eventually(rest, ({ status }) => status !== 200);
    expect(answer.status).to.equal(503);
    expect(answer.json).to.deep.equal({ error: "The shop is temporarily closed", hint: "Retry later." });
    expect(answer.headers.get("retry-after")).to.equal("1");
    await expectShown(server, 503, answer.json);
    for (const { errors } of [
      await graphql(READ),
      await graphql(WRITE),
      await service.ask(READ),
      await graphql(JOIN, {}),
    ]) {
      expect(errors.map(({ message, extensions }) => [message, extensions.code])).to.deep.equal([
        ["The shop is temporarily closed", "UNAVAILABLE"],
      ]);
    }
    await open();
    await eventually(rest, ({ status }) => status === 200);
    expect((await graphql(JOIN, {})).errors).to.deep.equal([]);
  });

  it("sends neither due deliveries nor test events, and loses none", async () => {
    await shop.setEndpoint("paused = true");
    await shop.change(2);
    await close();
    await shop.setEndpoint("paused = false");
    await shop.setDeliveries("next_attempt_at = now() - interval '1 hour'");
    await shop.sql(`update outstanding_deliveries set is_test = true
      where shop_id = $1 and id = (select min(id) from outstanding_deliveries where shop_id = $1)`);
    await shop.wake();
    await noJobs();
    const { logger, lines } = collectLines("error");
    await findLostDeliveries(server.em, logger, new AbortController().signal);
    expect(lines).to.deep.equal([]);
    expect((await shop.deliveries()).map(({ status, attempts }) => [status, attempts])).to.deep.equal([
      ["PENDING", 0],
      ["PENDING", 0],
    ]);
    await open();
    await eventually(shop.deliveries, (all) => all.every(({ status }) => status === "SUCCEEDED"));
    expect(shop.receiver.received).to.have.length(2);
  });

  it("fails the deliveries of disabled endpoints only once it is opened", async () => {
    await shop.setEndpoint("paused = true");
    await shop.change(1);
    await close();
    await shop.setEndpoint("disabled_at = now(), disabled_reason = 'GONE'");
    const statuses = async () => (await shop.deliveries()).map(({ status }) => status);
    await shop.wake();
    await noJobs();
    expect(await statuses()).to.deep.equal(["PENDING"]);
    await open();
    await eventually(statuses, (all) => all.every((status) => status === "FAILED"));
  });

  it("gets a job for everything due, and for each later second, once it is opened", async () => {
    await shop.setEndpoint("paused = true");
    await shop.change(4);
    await close();
    await noJobs();
    await shop.sql(`update outstanding_deliveries set next_attempt_at = date_trunc('second', now()) + later
      from (select id, (array['-1 h', '1 h', '1 h 0.25 s', '2 h']::interval[])[row_number() over ()] as later
        from outstanding_deliveries where shop_id = $1) as moved
      where shop_id = $1 and outstanding_deliveries.id = moved.id`);
    await shop.sql(
      "update webhook_endpoints set failing_topics = '{\"product.created\": 12}', probe_at = date_trunc('second', now()) + interval '3 h' where shop_id = $1",
    );
    await open();
    // The one for what is due is done at once, as the endpoint is paused.
    const later = await eventually(jobs, ({ length }) => length === 3);
    const [{ now }] = (await shop.sql<{ now: Date }>("select date_trunc('second', now()) as now where $1 <> ''")) as [
      { now: Date },
    ];
    const hours = later.map(({ run_at: at }) => (at.getTime() - now.getTime()) / 3_600_000);
    expect(hours.map((hour) => Math.round(hour))).to.deep.equal([1, 2, 3]);
  });

  it("notifies staff only once it is opened", async () => {
    const job = { shopId: shop.shop.id, kind: NotificationKind.WEBHOOK_DELIVERIES_USED_UP };
    const notice = { kind: job.kind, target: { id: shop.endpointId, name: "receiver" } };
    await server.em.fork().transactional((em) => recordNotices(em, job.shopId, [notice]));
    await query(server.databaseUrl, "delete from graphile_worker._private_jobs where key like 'digest %'");
    await close();
    await sendDigest(server.em.fork(), job);
    expect(await shop.sql("select mailed_at from notices where shop_id = $1")).to.deep.equal([{ mailed_at: null }]);
    await open();
    expect((await mailJobs(server.databaseUrl)).map(({ payload }) => payload)).to.deep.equal([job]);
  });

  it("records in the audit log who closed and opened it, once each", async () => {
    for (const change of [close, close, open, open]) await change();
    const entries = [...(await shop.audit("SHOP_CLOSED")), ...(await shop.audit("SHOP_OPENED"))];
    expect(entries.map(({ actor_kind: kind, target_id: id }) => [kind, id])).to.deep.equal([
      ["OPERATOR", shop.shop.id],
      ["OPERATOR", shop.shop.id],
    ]);
  });
});
