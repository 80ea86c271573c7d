import { createHash, randomBytes } from "node:crypto";
import { expect } from "chai";
import { findFreePort } from "../support/free-port.ts";
import { call } from "../support/client.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildKey, buildShop, buildStaff } from "../support/factories.ts";
import { askGraphql, logIn } from "../support/graphql.ts";
import { useOtlpReceiver, type ReceivedSpan } from "../support/telemetry/otlp-receiver.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";
import { ServerProcess } from "../support/programs/server-process.ts";
import { useServer } from "../support/server.ts";

const CALLER = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
const CREATE_KEY = `mutation ($shopId: ID!) {
  createApiKey(shopId: $shopId, input: { name: "Till", scopes: [READ_PRODUCTS] }) { secret }
}`;

describe("Traces", () => {
  const encryptionKeys = [{ name: "traces", key: randomBytes(32) }];
  const server = useServer({ config: { encryptionKeys } });
  const collector = useOtlpReceiver();
  const receiver = useReceiver();

  beforeEach(() => Object.assign(collector, { spans: [], resources: [], status: 200 }));

  /** Runs a process, and returns the spans that it sends until it ends. */
  async function run(
    work: (process: { url: string }) => Promise<unknown>,
    environment: Record<string, string> = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  ): Promise<ServerProcess> {
    const port = await findFreePort();
    const process = new ServerProcess({
      command: "serve",
      databaseUrl: server.databaseUrl,
      encryptionKeys,
      port,
      preload: "./test/support/programs/report-modules.ts",
      environment: { LOG_LEVEL: "warn", ...environment },
    });
    try {
      await process.started();
      await work({ url: `http://127.0.0.1:${port}` });
    } finally {
      await process.stop();
    }
    return process;
  }

  async function openShop() {
    const shop = await buildShop(server.em);
    const { secret } = await buildEndpoint(server, shop, `${receiver.url}/hook?token=hidden-in-the-query`);
    const key = await buildKey(server.em, shop);
    return { shop, key, secret };
  }

  const create = (at: { url: string }, { shop, key }: Awaited<ReturnType<typeof openShop>>, traceparent?: string) =>
    call(at, "POST", `/${shop.id}/products`, {
      key,
      body: { title: "Mug", price: 1 },
      headers: traceparent === undefined ? {} : { traceparent },
    });

  const received = (count: number) =>
    eventually(
      () => receiver.received.length,
      (length) => length === count,
    );
  const named = (name: string, within: readonly ReceivedSpan[] = collector.spans): ReceivedSpan => {
    const found = within.filter((span) => span.name === name);
    expect(found.length, `${name} among ${within.map((span) => span.name).join(", ")}`).to.equal(1);
    return found[0]!;
  };
  const below = ({ spanId }: ReceivedSpan) => collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId);

  it("connect a client's request with its document, statements, event, job and attempt", async () => {
    const shop = await openShop();
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, LOG_LEVEL: "info" };
    const { output } = await run(async (process) => {
      await create(process, shop, `00-${CALLER.traceId}-${CALLER.spanId}-01`);
      await received(1);
    }, environment);
    expect(output).to.match(new RegExp(`"traceId":"${CALLER.traceId}".*"msg":"request"`));
    const request = named("POST /api/v1/:shopId/products");
    expect(request).to.include({ traceId: CALLER.traceId, parentSpanId: CALLER.spanId, kind: 2 });
    expect(request.attributes).to.include({
      "http.route": "/api/v1/:shopId/products",
      "http.response.status_code": 201,
    });
    const document = named("mutation CreateProduct", below(request));
    const statements = below(document).filter(({ attributes }) => attributes["db.system.name"] === "postgresql");
    const texts = statements.map(({ attributes }) => String(attributes["db.query.text"]));
    expect(texts.filter((text) => text.includes('insert into "products"'))).to.have.length(1);
    const event = named("record product.created", below(document));
    expect(below(event).map(({ name }) => name)).to.include.members(["insert events", "send-webhooks"]);
    const job = named("send-webhooks", below(event));
    const attempt = named("deliver product.created", below(job));
    expect(attempt.kind).to.equal(3);
    expect(attempt.attributes).to.include({ "http.response.status_code": 204, "merchant_api.shop.id": shop.shop.id });
    for (const span of [document, event, job, attempt]) expect(span.traceId).to.equal(CALLER.traceId);
    expect(receiver.received[0]!.headers.traceparent).to.equal(`00-${CALLER.traceId}-${attempt.spanId}-01`);
    const [logged] = await query<{ request_headers: [string, string][] }>(
      server.databaseUrl,
      "select request_headers from delivery_attempts where shop_id = $1",
      [shop.shop.id],
    );
    expect(logged!.request_headers.map(([name]) => name)).to.include("traceparent");
    expect(collector.resources[0]).to.include({ "service.name": "merchant-api" });
  });

  it("connect later attempts with the event, and link them to their jobs", async () => {
    const shop = await openShop();
    receiver.status = 500;
    await run(async (process) => {
      await create(process, shop);
      await received(1);
      receiver.status = 204;
      await received(2);
    });
    const event = named("record product.created");
    const attempts = collector.spans.filter(({ name }) => name === "deliver product.created");
    const [first, second] = attempts.toSorted((one, two) => Number(one.status.code < two.status.code));
    expect(first!.attributes["error.type"]).to.equal("HTTP_STATUS");
    expect(below(event)).to.include(second);
    const [link] = second!.links!;
    const job = collector.spans.find(({ spanId }) => spanId === link!.spanId)!;
    expect(job).to.include({ name: "send-webhooks", traceId: link!.traceId });
    expect(job.traceId).not.to.equal(event.traceId);
  });

  it("name GraphQL operations by their fields, with error codes", async () => {
    const { shop } = await openShop();
    const staff = await buildStaff(server.em, shop);
    await run(async (process) => {
      const session = await logIn(process, staff);
      await askGraphql(
        process,
        "query Anything($id: ID!) { shop(id: $id) { products { total } } }",
        { id: shop.id },
        session,
      );
      await askGraphql(process, 'mutation { revokeApiKey(shopId: "shop_none", id: "key_none") { id } }', {}, session);
    });
    const operation = named("query shop.products");
    expect(below(operation).some(({ attributes }) => attributes["db.query.text"])).to.equal(true);
    const request = collector.spans.find(({ spanId }) => spanId === operation.parentSpanId);
    expect(request!.name).to.equal("POST /graphql");
    expect(named("mutation revokeApiKey").attributes["error.type"]).to.equal("SHOP_NOT_FOUND");
  });

  it("contain no secrets, and no statements with values", async () => {
    const { shop, key, secret } = await openShop();
    const staff = await buildStaff(server.em, shop);
    let made = "";
    await run(async (process) => {
      const session = await logIn(process, staff);
      const { data, errors } = await askGraphql(process, CREATE_KEY, { shopId: shop.id }, session);
      expect(errors).to.deep.equal([]);
      made = data.createApiKey.secret;
      await create(process, { shop, key, secret });
      await received(1);
      await fetch(`${process.url}/api/v1/${shop.id}/products/${key.replace("_", "%5F")}?key=${key}`);
      await fetch(`${process.url}/admin/keys/${key}`);
    });
    named("mutation createApiKey");
    expect(named("GET /api/v1/:shopId/products/:id").attributes["url.path"]).to.match(/\/products\/\*\*\*$/);
    expect(named("GET /admin/*").attributes).to.include({ "http.route": "/admin/*", "url.path": "/admin/keys/***" });
    const texts = collector.spans.flatMap(
      ({ attributes }) => (attributes["db.query.text"] as string | undefined) ?? [],
    );
    expect(texts.filter((text) => !text.includes("$1"))).to.deep.equal([]);
    expect(texts).not.to.deep.equal([]);
    const exported = JSON.stringify(collector.spans);
    const digests = [key, made].map((text) => createHash("sha256").update(text).digest("hex"));
    for (const hidden of [
      key,
      key.slice(8),
      made,
      secret,
      staff.email,
      staff.password,
      "hidden-in-the-query",
      ...digests,
    ]) {
      expect(exported).not.to.include(hidden);
    }
  });

  it("exclude probes, work outside requests and jobs, and what the ratio excludes", async () => {
    await run(({ url }) => fetch(`${url}/readyz`));
    expect(collector.spans.map(({ name }) => name)).not.to.include("GET /readyz");
    expect(collector.spans.filter(({ name, parentSpanId }) => name.startsWith("select") && parentSpanId === undefined))
      .to.be.empty;
    collector.spans.length = 0;
    const shop = await openShop();
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: "0" };
    await run(async (process) => {
      await create(process, shop, `00-${CALLER.traceId}-${CALLER.spanId}-01`);
      await received(1);
    }, environment);
    expect(collector.spans).to.deep.equal([]);
    expect(receiver.received[0]!.headers.traceparent).to.match(new RegExp(`^00-${CALLER.traceId}-[0-9a-f]{16}-00$`));
  });

  it("that cannot be sent are logged once, and do not delay the shutdown", async () => {
    collector.status = 400;
    const shop = await openShop();
    const { output } = await run(async (process) => {
      await create(process, shop);
      await received(1);
    });
    expect(output.match(/traces cannot be sent/g)).to.have.length(1);
    expect(output).to.include("loads @opentelemetry/sdk-trace");
  });

  it("cost nothing when off: OpenTelemetry is not loaded, and nothing is stored or sent", async () => {
    const shop = await openShop();
    const { output } = await run(async (process) => {
      await create(process, shop, `00-${CALLER.traceId}-${CALLER.spanId}-01`);
      await received(1);
    }, {});
    // Its types' package alone, by prom-client.
    const loaded = new Set(output.match(/@opentelemetry\/[\w-]+/g));
    expect([...loaded]).to.deep.equal(["@opentelemetry/api"]);
    expect(receiver.received[0]!.headers).not.to.have.property("traceparent");
    const [event] = await query(server.databaseUrl, "select trace_parent from events where shop_id = $1", [
      shop.shop.id,
    ]);
    expect(event).to.deep.equal({ trace_parent: null });
  });
});
