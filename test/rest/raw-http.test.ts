import { expect } from "chai";
import type { Answer } from "../support/client.ts";
import { query } from "../support/database.ts";
import { buildTenant, type Tenant } from "../support/shops/access.ts";
import { eventually } from "../support/eventually.ts";
import { buildKey } from "../support/factories.ts";
import { assertDocumented } from "../support/requests/openapi-validator.ts";
import { useServer } from "../support/server.ts";
import { exchange, openSocket } from "../support/requests/wire.ts";

const CLOSE = "Connection: close\r\n";
const BODY = '{"title":"Smuggled","price":1}';
const JSON_TYPE = "Content-Type: application/json\r\n";

describe("Raw requests", () => {
  const server = useServer();
  let tenant: Tenant;
  let key: string;
  let stored: number;

  before(async () => {
    tenant = await buildTenant(server.em);
    key = await buildKey(server.em, tenant.shop);
  });

  beforeEach(async () => {
    stored = await countProducts();
  });

  async function countProducts(): Promise<number> {
    const [row] = await query<{ rows: string }>(server.databaseUrl, "select count(*) as rows from products");
    return Number(row!.rows);
  }

  /** A path of the shop, and the head that names host and key. */
  const products = () => `/api/v1/${tenant.shop.id}/products`;
  const host = () => `Host: ${new URL(server.url).host}\r\n`;
  const head = () => `${host()}Authorization: Bearer ${key}\r\n`;
  const get = (target: string, more = "") => `GET ${target} HTTP/1.1\r\n${head()}${more}${CLOSE}\r\n`;
  const create = (more: string, body: string) =>
    `POST ${products()} HTTP/1.1\r\n${head()}${JSON_TYPE}${more}\r\n${body}`;

  async function expectServing(): Promise<void> {
    const answers = await exchange(server, get(`${products()}?limit=1`));
    expect(answers.map(({ status }) => status)).to.deep.equal([200]);
  }

  function expectError(answer: Answer, status: number): void {
    expect(answer.status, answer.text).to.equal(status);
    expect(answer.headers.get("content-type"), "a body in the error's shape").to.equal(
      "application/json; charset=utf-8",
    );
    expect(answer.json).to.be.an("object");
    expect(answer.json.error).to.be.a("string").that.is.not.empty;
    expect(Object.keys(answer.json).every((name) => ["error", "hint", "details"].includes(name))).to.equal(true);
  }

  /** One refusal, after which the server closes; nothing is stored, and the next request is served. */
  async function expectRefused(bytes: string | Buffer, status: number): Promise<void> {
    const answers = await exchange(server, bytes);
    expect(answers, JSON.stringify(answers.map(({ text }) => text))).to.have.length(1);
    expectError(answers[0]!, status);
    await expectServing();
    expect(await countProducts()).to.equal(stored);
  }

  const smuggled = () => create(`Content-Length: ${BODY.length}\r\n`, BODY);

  const malformed: [what: string, bytes: () => string | Buffer, status?: number][] = [
    [
      "both lengths, then another request",
      () => create("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${smuggled()}`),
    ],
    [
      "both lengths the other way round",
      () => create("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", `0\r\n\r\n${smuggled()}`),
    ],
    ["an unknown transfer encoding", () => create("Transfer-Encoding: xchunked\r\n", `0\r\n\r\n${smuggled()}`)],
    [
      "chunked that is not the last encoding",
      () => create("Transfer-Encoding: chunked, identity\r\n", `0\r\n\r\n${smuggled()}`),
    ],
    ["a transfer encoding behind a space", () => create("Transfer-Encoding : chunked\r\n", `0\r\n\r\n${smuggled()}`)],
    [
      "a transfer encoding on a folded line",
      () => create("X: y\r\n Transfer-Encoding: chunked\r\n", `0\r\n\r\n${smuggled()}`),
    ],
    ["a coding before chunked", () => create("Transfer-Encoding: gzip, chunked\r\n", `0\r\n\r\n${smuggled()}`), 501],
    [
      "identity before chunked",
      () => create("Transfer-Encoding: identity, chunked\r\n", `0\r\n\r\n${smuggled()}`),
      501,
    ],
    [
      "codings on two lines",
      () => create("Transfer-Encoding: deflate\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${smuggled()}`),
      501,
    ],
    ["identity", () => create("Transfer-Encoding: identity\r\n", `0\r\n\r\n${smuggled()}`)],
    ["chunked twice", () => create("Transfer-Encoding: chunked, chunked\r\n", `0\r\n\r\n${smuggled()}`)],
    [
      "chunked on two lines",
      () => create("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${smuggled()}`),
    ],
    [
      "chunked in HTTP/1.0",
      () => create("Transfer-Encoding: chunked\r\n", `0\r\n\r\n${smuggled()}`).replace("HTTP/1.1", "HTTP/1.0"),
    ],
    ["two different lengths", () => create("Content-Length: 0\r\nContent-Length: 30\r\n", BODY)],
    ["two equal lengths", () => create("Content-Length: 30\r\nContent-Length: 30\r\n", BODY)],
    ["a list of lengths", () => create("Content-Length: 30, 30\r\n", BODY)],
    ["a negative length", () => create("Content-Length: -1\r\n", BODY)],
    ["a signed length", () => create("Content-Length: +30\r\n", BODY)],
    ["a length in hexadecimal", () => create("Content-Length: 0x1e\r\n", BODY)],
    ["a length past every bound", () => create(`Content-Length: ${"9".repeat(30)}\r\n`, BODY)],
    ["a chunk size that is no number", () => create("Transfer-Encoding: chunked\r\n", `zz\r\n${BODY}\r\n0\r\n\r\n`)],
    ["a chunk size past every bound", () => create("Transfer-Encoding: chunked\r\n", `${"f".repeat(17)}\r\n${BODY}`)],
    ["a chunk longer than its size", () => create("Transfer-Encoding: chunked\r\n", `1\r\n${BODY}\r\n0\r\n\r\n`)],
    [
      "a chunk extension of 20 KB",
      () => create("Transfer-Encoding: chunked\r\n", `1e;${"x".repeat(20_480)}\r\n${BODY}\r\n0\r\n\r\n`),
    ],
    ["a space before a colon", () => `GET ${products()} HTTP/1.1\r\nHost : x\r\n\r\n`],
    ["a header without a colon", () => `GET ${products()} HTTP/1.1\r\n${head()}nothing\r\n\r\n`],
    ["a header without a name", () => `GET ${products()} HTTP/1.1\r\n${head()}: nothing\r\n\r\n`],
    ["bare line feeds", () => `GET ${products()} HTTP/1.1\n${head().replaceAll("\r", "")}\n`],
    ["one bare line feed", () => get(products(), "X: y\nY: z\r\n")],
    ["a bare carriage return", () => get(products(), "X: y\rY: z\r\n")],
    ["NUL in a header", () => get(products(), "X: \0\r\n")],
    ["a header of 20 KB", () => get(products(), `X: ${"x".repeat(20_480)}\r\n`), 431],
    ["20 KB of headers", () => get(products(), "X-Y: z\r\n".repeat(2_560)), 431],
    ["a target of 20 KB", () => get(`${products()}?search=${"x".repeat(20_480)}`), 431],
    ["an unknown method", () => get(products()).replace("GET", "STEAL")],
    ["a method in lower case", () => get(products()).replace("GET", "get")],
    ["a method that is no token", () => get(products()).replace("GET", "G(E)T")],
    ["no target", () => `GET HTTP/1.1\r\n${head()}\r\n`],
    ["a space in the target", () => get(`${products()}?search=a b`)],
    ["a tab in the target", () => get(`${products()}?search=a\tb`)],
    ["NUL in the target", () => get(`${products()}/a\0b`)],
    ["bytes past ASCII in the target", () => Buffer.from(get(`${products()}?search=é`))],
    ["an asterisk for a target", () => get("*")],
    ["a target that starts with a backslash", () => get("\\api\\v1")],
    ["a version that does not exist", () => get(products()).replace("HTTP/1.1", "HTTP/9.9")],
    ["another protocol", () => get(products()).replace("HTTP/1.1", "ICY/1.1")],
    ["the preface of HTTP/2", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["the start of a TLS handshake", () => Buffer.from("16030100a5010000a10303", "hex")],
    ["NULs", () => Buffer.alloc(64)],
    ["no host", () => `GET ${products()} HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n${CLOSE}\r\n`],
    ["two hosts", () => get(products(), "Host: other.example\r\n")],
    ["an expectation that nobody can meet", () => get(products(), "Expect: wonders\r\n"), 417],
    ["an absolute target without a host", () => get(`http://[${products()}`)],
    ["an absolute target with an empty host", () => get(`http://${products()}`)],
    ["an absolute target without slashes", () => get(`http:${products()}`)],
    ["an absolute target with only a port", () => get(`http://:80${products()}`)],
    ["an absolute target with a user", () => get(`http://user@other.example${products()}`)],
    ["an absolute target with a port that is none", () => get(`http://a:b@:c${products()}`)],
  ];

  for (const [what, bytes, status = 400] of malformed) {
    it(`refuses ${what}, and closes`, async () => {
      await expectRefused(bytes(), status);
    });
  }

  it("answers 405 to CONNECT, and closes", async () => {
    const connect = `CONNECT example.com:443 HTTP/1.1\r\n${head()}\r\n`;
    await expectRefused(connect, 405);
    const [answer] = await exchange(server, connect);
    expect(answer!.headers.get("allow")).to.equal("");
  });

  it("answers complete requests before it refuses a CONNECT after them", async () => {
    const list = `GET ${products()} HTTP/1.1\r\n${head()}\r\n`;
    const answers = await exchange(server, `${list}CONNECT example.com:443 HTTP/1.1\r\n${head()}\r\n`);
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 405]);
  });

  it("ends a request without complete headers after ten seconds", async () => {
    const bytes = `GET ${products()} HTTP/1.1\r\n${host()}`;
    const answers = await exchange(server, bytes, { deadline: 20_000 });
    expect(answers.map(({ status }) => status)).to.deep.equal([408]);
  });

  const targets: [what: string, target: () => string, status: number, error?: string][] = [
    ["a query without anything", () => `${products()}?`, 200],
    ["nothing but ampersands", () => `${products()}?&&`, 200],
    ["an absolute target", () => `http://other.example${products()}?limit=1`, 200],
    ["an absolute target with a bad query", () => `http://other.example${products()}?limit=0`, 400, "Validation error"],
    ["a fragment", () => `${products()}?limit=1#top`, 200],
    ["a parameter without a value", () => `${products()}?limit`, 400, "Validation error"],
    ["a parameter without a name", () => `${products()}?=1`, 400, "Validation error"],
    ["a second question mark", () => `${products()}??limit=1`, 400, "Validation error"],
    ["semicolons between parameters", () => `${products()}?limit=1;page=1`, 400, "Validation error"],
    ["a trailing slash", () => `${products()}/`, 404, "Not found"],
    ["two slashes at the start", () => `/${products()}`, 404, "Not found"],
    ["two slashes and a host", () => `//other.example${products()}`, 404, "Not found"],
    ["two slashes in the middle", () => products().replace("/products", "//products"), 404, "Not found"],
    ["no shop", () => "/api/v1//products", 404, "Not found"],
    ["a path parameter", () => `${products()};v=1`, 404, "Not found"],
    ["a path parameter at the identifier", () => `${products()}/${tenant.ids.Product};v=1`, 404, "Product not found"],
    ["a walk up", () => `${products()}/../orders`, 404, "Not found"],
    ["an encoded walk up", () => `${products()}/%2e%2e/orders`, 404, "Not found"],
    ["a walk up as identifier", () => `${products()}/..`, 404, "Product not found"],
    ["a dot as identifier", () => `${products()}/.`, 404, "Product not found"],
    ["an encoded slash before the resource", () => products().replace("/products", "%2Fproducts"), 404, "Not found"],
    ["an encoded slash in the identifier", () => `${products()}/a%2Fb`, 404, "Product not found"],
    ["another case", () => products().toUpperCase(), 404, "Not found"],
    ["an encoded letter of the resource", () => products().replace("/products", "/product%73"), 404, "Not found"],
    ["a format", () => `${products()}.json`, 404, "Not found"],
    ["no path of the API", () => "http://other.example/api", 404, "Not found"],
  ];

  for (const [what, target, status, error] of targets) {
    it(`answers ${what} in the target with ${status}${error ? ` ${error}` : ""}`, async () => {
      const answers = await exchange(server, get(target()));
      expect(answers).to.have.length(1);
      expect(answers[0]!.status, answers[0]!.text).to.equal(status);
      if (error === undefined) return expect(answers[0]!.json.products).to.have.length(1);
      expectError(answers[0]!, status);
      expect(answers[0]!.json.error).to.equal(error);
    });
  }

  it("serves HTTP/1.0 without a host, and closes", async () => {
    const request = `GET ${products()}?limit=1 HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const answers = await exchange(server, request);
    expect(answers.map(({ status }) => status)).to.deep.equal([200]);
    await assertDocumented(server, "GET", products().replace("/api/v1", ""), answers[0]!);
  });

  it("does not switch protocols", async () => {
    const answers = await exchange(server, get(products(), "Upgrade: websocket\r\n"));
    expect(answers.map(({ status }) => status)).to.deep.equal([200]);
  });

  it("answers pipelined requests in order", async () => {
    const more = `GET ${products()}?limit=0 HTTP/1.1\r\n${head()}\r\n`;
    const missing = `GET ${products()}/none HTTP/1.1\r\n${head()}\r\n`;
    const created = create(`Content-Length: ${BODY.length}\r\n`, BODY);
    const answers = await exchange(server, [more, created, missing, more, get(products())]);
    expect(answers.map(({ status }) => status)).to.deep.equal([400, 201, 404, 400, 200]);
    expect(await countProducts()).to.equal(stored + 1);
  });

  it("answers complete requests before it refuses garbage after them", async () => {
    const list = `GET ${products()} HTTP/1.1\r\n${head()}\r\n`;
    const answers = await exchange(server, `${list}${smuggled()}GARBAGE\r\n\r\n${list}`);
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 201, 400]);
    expectError(answers[2]!, 400);
    expect(await countProducts()).to.equal(stored + 1);
  });

  it("answers 413 to a client that sends a large body before it reads", async () => {
    const body = Buffer.alloc(5_000_000, " ");
    const bytes = [create(`Content-Length: ${body.length}\r\n${CLOSE}`, ""), body];
    const answers = await exchange(server, bytes, { writeFirst: true });
    expect(answers).to.have.length(1);
    expectError(answers[0]!, 413);
    await expectServing();
  });

  it("stores nothing of a truncated body, and continues to serve", async () => {
    const bytes = create("Content-Length: 1000\r\n", BODY);
    const answers = await exchange(server, bytes, { end: true });
    answers.forEach((answer) => expectError(answer, 400));
    const socket = openSocket(server);
    socket.write(bytes);
    await new Promise((resolve) => socket.once("connect", resolve));
    socket.destroy();
    await expectServing();
    expect(await countProducts()).to.equal(stored);
  });

  it("waits for a slow body, and serves others meanwhile", async () => {
    const socket = openSocket(server);
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.write(create(`Content-Length: ${BODY.length}\r\n${CLOSE}`, ""));
    for (const character of BODY) {
      socket.write(character);
      await expectServing();
    }
    await eventually(
      () => text,
      (received) => received.includes("\r\n\r\n{"),
    );
    expect(text).to.match(/^HTTP\/1\.1 201 /);
    socket.destroy();
  });

  it("serves beside many silent connections", async () => {
    const idle = Array.from({ length: 200 }, () => openSocket(server));
    idle.forEach((socket) => socket.write(`GET ${products()} HTTP/1.1\r\nHost: `));
    await expectServing();
    idle.forEach((socket) => socket.destroy());
    await expectServing();
  });
});
