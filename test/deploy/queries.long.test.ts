import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect } from "chai";
import pg from "pg";
import { parse } from "yaml";
import { ErrorClass } from "../../src/core/model/webhooks/error-class.ts";
import { call } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildKey, buildProduct } from "../support/factories.ts";
import { useMailServer, mailsThrough } from "../support/mail/mail-server.ts";
import { findFaults } from "../support/telemetry/promql.ts";
import { useMetrics, type Sample } from "../support/telemetry/scrape.ts";
import { useServer } from "../support/server.ts";
import { useWebhookShop } from "../support/webhooks/webhook-shop.ts";

const RULES = "deploy/prometheus/alerts.yml";
const promtool = process.env.PROMTOOL ?? "promtool";
const isRequired = process.env.REQUIRE_PROMTOOL === "1";

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook: string };
}

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[];
  templating: { list: { query: { query: string } | string }[] };
}

const { groups } = parse(await readFile(RULES, "utf8")) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(await readFile("deploy/grafana/merchant-api.json", "utf8")) as Dashboard;

const INVITE = `mutation ($shopId: ID!) {
  inviteMember(shopId: $shopId, input: { email: "invited@example.com", role: CLERK }) { invitation { id } }
}`;

/** The query as Grafana sends it. */
const filledIn = (expr: string) => expr.replaceAll("$__rate_interval", "1m").replaceAll("$job", ".+");

describe("Dashboard and alerts", () => {
  const mailServer = useMailServer();
  const server = useServer({
    worker: true,
    config: mailsThrough(mailServer),
  });
  const metrics = useMetrics(server);
  const webhooks = useWebhookShop(server);
  let samples: Sample[] = [];

  beforeEach("let everything happen once", async () => {
    if (samples.length > 0) return;
    const { shop } = webhooks;
    const key = await buildKey(server.em, shop);
    await call(server, "GET", `/${shop.id}/products`, { key });
    await call(server, "POST", `/${shop.id}/products`, { key, body: { title: "Mug", price: 1 } });
    await webhooks.ask("query ($shopId: ID!) { shop(id: $shopId) { name } }");
    await webhooks.ask(INVITE);
    await eventually(
      () => metrics.read("mails_total", { kind: "INVITATION", outcome: "sent" }),
      (count) => count === 1,
    );
    await refuseSome(() => call(server, "GET", `/${shop.id}/products`, { key }));
    await failAll();
    // Name servers are outside of this test, so unknown names are the one failure that is left out.
    const labels = { outcome: "postponed", error_class: ErrorClass.DNS };
    samples = [...(await metrics.scrape()), { name: "merchant_api_webhook_attempts_total", labels, value: 1 }];
  });

  /** Sends enough requests at once for some to be refused. */
  async function refuseSome(ask: () => Promise<unknown>): Promise<void> {
    const blocker = new pg.Client({ connectionString: server.databaseUrl });
    await blocker.connect();
    await blocker.query("begin; lock table products");
    const all = Array.from({ length: 150 }, ask);
    await eventually(
      () => metrics.read("requests_refused_total"),
      (count) => count! > 0,
    );
    await blocker.end();
    await Promise.all(all);
  }

  /** Makes attempts fail in each way that queries name. */
  async function failAll(): Promise<void> {
    const { shop, receiver } = webhooks;
    const urls = { TLS: receiver.url.replace("http:", "https:"), CONNECTION: "http://127.0.0.1:1024" };
    for (const url of Object.values(urls)) await buildEndpoint(server, shop, url);
    const release = receiver.hold();
    await buildProduct(server.em, shop);
    for (const error_class of [...Object.keys(urls), "TIMEOUT"]) {
      await eventually(
        () => metrics.read("webhook_attempts_total", { error_class }),
        (count) => count !== undefined,
      );
    }
    release();
  }

  const queries = [
    ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, filledIn(expr)])),
    ...rules.map(({ alert, expr }) => [alert, expr]),
  ];
  for (const [title, expr] of queries as [string, string][]) {
    it(`query existing metrics: ${title}, ${expr.replaceAll(/\s+/g, " ")}`, () => {
      expect(findFaults(expr, samples)).to.deep.equal([]);
    });
  }

  it("are detected when they query anything else", () => {
    const faults = (text: string) => findFaults(text, samples);
    expect(faults("merchant_api_requests_total{")).not.to.deep.equal([]);
    expect(faults("sum(rate(merchant_api_request_total[5m]))")).to.deep.equal(["merchant_api_request_total"]);
    expect(faults('merchant_api_requests_total{shop="x"}')).to.deep.equal(["merchant_api_requests_total has no shop"]);
    expect(faults('merchant_api_requests_total{status="299"}')).to.have.length(1);
    expect(faults('merchant_api_requests_total{status=~"2..|7.."}')).to.have.length(1);
    expect(faults("sum by (shop) (merchant_api_requests_total)")).to.deep.equal(["by shop"]);
  });

  it("fill the dashboard's variables from existing metrics", () => {
    const asked = dashboard.templating.list.map(({ query: text }) => (typeof text === "string" ? text : text.query));
    expect(asked).to.deep.equal(["prometheus", "label_values(merchant_api_ready, job)"]);
    expect(samples.map(({ name }) => name)).to.include("merchant_api_ready");
  });

  it("link to a runbook", async () => {
    const page = await readFile("docs/operations.md", "utf8");
    const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!.toLowerCase());
    for (const { alert, annotations } of rules) {
      expect(annotations.summary, alert).to.be.a("string");
      expect(annotations.runbook).to.equal(`docs/operations.md#${alert.toLowerCase()}`);
      expect(headings).to.include(alert.toLowerCase());
    }
  });

  it("use only documented metrics, and the documentation lists all", async () => {
    const page = await readFile("docs/operations.md", "utf8");
    const listed = [...page.matchAll(/^\| `merchant_api_(\w+)` \|/gm)].map(([, name]) => name!);
    const exposed = samples.map(({ name }) => /^merchant_api_(\w+?)(?:_bucket|_sum|_count)?$/.exec(name)?.[1]);
    expect(listed.toSorted()).to.deep.equal([...new Set(exposed.filter((name) => name !== undefined))].toSorted());
  });
});

describe("Alerts in Prometheus", () => {
  const run = (...parameters: string[]) => promisify(execFile)(promtool, parameters);

  before(async function () {
    try {
      await run("--version");
    } catch {
      if (isRequired) throw new Error("No promtool found: install Prometheus, or name it with PROMTOOL");
      console.warn("  SKIPPED: no promtool found, which tries the alerts; PROMTOOL names one");
      this.skip();
    }
  });

  it("are valid rules", async () => {
    expect((await run("check", "rules", RULES)).stdout).to.include(`${rules.length} rules found`);
  });

  it("fire when they should", async () => {
    expect((await run("test", "rules", "test/deploy/alerts.promtool.yml")).stdout).to.include("SUCCESS");
    const tested = await readFile("test/deploy/alerts.promtool.yml", "utf8");
    for (const { alert } of rules) expect(tested.split(`alertname: ${alert}`)).to.have.length.above(2);
  });
});
