import { expect } from "chai";
import { openHeaders, type SealedHeaders } from "../../../src/core/webhooks/endpoints/endpoint-headers.ts";
import { useWorld } from "../../support/world.ts";

const URL = "https://receiver.example/hooks";
const header = (name: string, value = "opensesame") => ({ name, value });
const many = (count: number) => Array.from({ length: count }, (_, index) => header(`x-${index}`));

describe("A webhook endpoint", () => {
  const { server, run, refusal, sql, ...world } = useWorld();

  const withDefaults = (input: object) => ({ input: { url: URL, topics: ["order.paid"], ...input } });
  const create = async (input: object) => (await run("createWebhookEndpoint", withDefaults(input))).endpoint;
  const update = (id: string, input: object) => run("updateWebhookEndpoint", { id, input });
  /** The issues of a refused creation, or change, in which no value appears. */
  const refused = async (input: object, id?: string) => {
    const [code, ...issues] = id
      ? await refusal("updateWebhookEndpoint", { id, input })
      : await refusal("createWebhookEndpoint", withDefaults(input));
    expect(code).to.equal("VALIDATION_FAILED");
    return issues;
  };
  const rows = () => sql("select * from webhook_endpoints where shop_id = $1");
  const audited = async () => (await world.audited()).map(([, details]) => details);

  /** Its headers as they are sent. */
  async function headers() {
    const [row] = await sql<SealedHeaders>(
      `select shop_id as "shopId", id, sealed_headers as "sealedHeaders" from webhook_endpoints where shop_id = $1`,
    );
    return openHeaders(server.app.core.encryption, row!);
  }

  it("has custom headers with lower-case names and trimmed, encrypted values", async () => {
    const given = [header("Authorization", " Bearer abcdefgh\t"), header("X-Shop", "a\tb"), header("Cookie", "c=d")];
    const names = ["authorization", "x-shop", "cookie"];
    expect(await create({ headers: given })).to.deep.include({ headerNames: names, description: null });
    expect((await run("webhookEndpoints"))[0]).to.deep.include({ description: null, headerNames: names });
    expect(await headers()).to.deep.equal({ authorization: "Bearer abcdefgh", "x-shop": "a\tb", cookie: "c=d" });
    const [row] = await rows();
    expect(JSON.stringify(row)).not.to.match(/abcdefgh|c=d/);
    expect(await audited()).to.deep.equal([{ topics: "order.paid", headers: names.join(", ") }]);
  });

  it("has no custom headers by default", async () => {
    for (const input of [{}, { headers: null }, { headers: [] }]) {
      expect(await create(input)).to.deep.include({ headerNames: [] });
    }
    for (const row of await rows()) expect(row).to.include({ sealed_headers: null });
    expect(await audited()).to.deep.equal([1, 2, 3].map(() => ({ topics: "order.paid" })));
  });

  it("replaces headers when given, keeps them otherwise, and removes them with an empty list", async () => {
    const { id } = await create({ headers: [header("x-a"), header("x-b")] });
    for (const [input, expected] of [
      [{ headers: [header("X-B"), header("x-c", "hocuspocus")] }, { "x-b": "opensesame", "x-c": "hocuspocus" }],
      [
        { paused: true, headers: null },
        { "x-b": "opensesame", "x-c": "hocuspocus" },
      ],
      [{ headers: [header("x-c", "abracadabra")] }, { "x-c": "abracadabra" }],
      [{ headers: [] }, {}],
    ] as const) {
      expect((await update(id, input)).headerNames).to.deep.equal(Object.keys(expected));
      expect(await headers()).to.deep.equal(expected);
    }
    expect(await audited()).to.deep.equal([
      { topics: "order.paid", headers: "x-a, x-b" },
      { oldHeaders: "x-a, x-b", headers: "x-b, x-c" },
      { oldPaused: "false", paused: "true" },
      { oldHeaders: "x-b, x-c", headers: "x-c" },
      { oldHeaders: "x-c", headers: "" },
    ]);
  });

  it("writes and audits nothing without a change", async () => {
    const { id } = await create({ headers: [header("x-a")], description: "ERP" });
    const before = await rows();
    await update(id, { headers: [header("X-A", " opensesame ")], description: " ERP " });
    expect(await rows()).to.deep.equal(before);
    expect(await audited()).to.have.length(1);
  });

  it("requires the headers again for another origin", async () => {
    const { id } = await create({ headers: [header("x-a")] });
    const before = await rows();
    for (const url of ["https://elsewhere.example/hooks", "https://receiver.example:8443/hooks"]) {
      expect(await refused({ url }, id)).to.deep.equal(["headers: required"]);
    }
    expect(await rows()).to.deep.equal(before);
    for (const input of [
      { url: "https://receiver.example/other?x=y" },
      { url: "https://elsewhere.example/hooks", headers: [header("x-a")] },
      { url: URL, headers: [] },
      { url: "https://elsewhere.example/hooks" },
    ]) {
      await update(id, input);
    }
  });

  it("refuses headers that the sender sets, that belong to a connection, or that are no names", async () => {
    const names = [
      ["Content-Type", "content-length", "Content-Encoding", "User-Agent", "Host", "Accept-Encoding"],
      ["X-Webhook-Signature", "x-webhook-test", "x-webhook-anything", "webhook-id", "WEBHOOK-SIGNATURE"],
      ["Connection", "Keep-Alive", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "HTTP2-Settings", "Expect"],
      ["Proxy-Authorization", "proxy-connection", "traceparent", "Tracestate"],
      ["a b", "a:", ":path", "a\r\nb", "a\0", "é", "\u{212a}ey", "{}", "a/b", " x-a"],
    ].flat();
    for (const name of names) {
      const input = withDefaults({ headers: [header("x-a"), header(name)] });
      const answer = await world.send("createWebhookEndpoint", input);
      expect(JSON.stringify(answer), name).not.to.include("opensesame");
      const code = name.includes("\0") ? "invalid_text" : "invalid_value";
      expect((await refused(input.input))[0], name).to.equal(`headers.1.name: ${code}`);
    }
    expect(await rows()).to.deep.equal([]);
  });

  it("accepts other names", async () => {
    const names = ["Authorization", "cookie", "x-api-key", "contents", "x-webhooks", "tea", "__proto__", "!#$%&'*+"];
    const created = await create({ headers: names.map((name) => header(name)) });
    expect(created.headerNames).to.deep.equal(names.map((name) => name.toLowerCase()));
  });

  for (const [what, given, issue] of [
    ["eleven headers", many(11), "headers: too_big"],
    ["a header twice", [header("x-a"), header("X-A")], "headers.1.name: repeated"],
    ["a header without a name", [header("")], "headers.0.name: too_small"],
    ["a name of 101 characters", [header("x".repeat(101))], "headers.0.name: too_big"],
    ["a value of 1,025 characters", [header("x-a", "a".repeat(1_025))], "headers.0.value: too_big"],
    ["an empty value", [header("x-a", " \t ")], "headers.0.value: too_small"],
    ["a line break in a value", [header("x-a", "a\r\nx-b: c")], "headers.0.value: invalid_value"],
    ["a line feed in a value", [header("x-a", "a\nb")], "headers.0.value: invalid_value"],
    ["a NUL in a value", [header("x-a", "a\0b")], "headers.0.value: invalid_text"],
    ["a DEL in a value", [header("x-a", "a\x7fb")], "headers.0.value: invalid_value"],
    ["a value beyond ASCII", [header("x-a", "aé")], "headers.0.value: invalid_value"],
  ] as const) {
    it(`refuses ${what}, on creation and on change`, async () => {
      const { id } = await create({});
      const before = await rows();
      for (const of of [undefined, id]) expect(await refused({ headers: given }, of)).to.include(issue);
      expect(await rows()).to.deep.equal(before);
    });
  }

  it("accepts ten headers of maximum length", async () => {
    const given = many(10).map(({ name }) => header(name.padEnd(100, "x"), "a".repeat(1_024)));
    expect((await create({ headers: given })).headerNames).to.deep.equal(given.map(({ name }) => name));
    expect(Object.values(await headers())).to.deep.equal(Array(10).fill("a".repeat(1_024)));
  });

  describe("with a description", () => {
    it("shows it trimmed, changes it and clears it", async () => {
      const { id, description } = await create({ description: " The ERP — größer " });
      expect(description).to.equal("The ERP — größer");
      for (const [input, expected] of [
        [{ paused: true }, "The ERP — größer"],
        [{ description: "Till" }, "Till"],
        [{ description: null }, null],
      ] as const) {
        expect((await update(id, input)).description).to.equal(expected);
      }
      expect(await audited()).to.deep.equal([
        { topics: "order.paid", description: "The ERP — größer" },
        { oldPaused: "false", paused: "true" },
        { oldDescription: "The ERP — größer", description: "Till" },
        { oldDescription: "Till", description: "" },
      ]);
    });

    for (const [what, description, code] of [
      ["none in it", "  ", "too_small"],
      ["256 characters", "ä".repeat(256), "too_big"],
      ["NUL", "a\0b", "invalid_text"],
      ["a lone surrogate", "\ud800", "invalid_text"],
    ] as const) {
      it(`refuses ${what}`, async () => {
        expect(await refused({ description })).to.deep.equal([`description: ${code}`]);
      });
    }

    it("accepts 255 characters", async () => {
      expect((await create({ description: ` ${"😀".repeat(255)} ` })).description).to.equal("😀".repeat(255));
    });
  });
});
