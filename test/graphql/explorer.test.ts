import { createHash } from "node:crypto";
import { expect } from "chai";
import { parse, validate } from "graphql";
import { createSchema } from "../../src/core/schema.ts";
import { FIRST_QUERY } from "../../src/graphql/explorer.ts";
import { useServer } from "../support/server.ts";

// The header that browsers send when an address is opened.
const NAVIGATION = {
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "sec-fetch-site": "none",
};

describe("GET /graphql in a browser", () => {
  const server = useServer();
  const open = (headers: Record<string, string> = NAVIGATION, method = "GET", query = "") =>
    fetch(`${server.url}/graphql${query}`, { method, headers });

  it("serves a single page, which runs only its own script", async () => {
    const answer = await open();
    const { status, headers } = answer;
    const html = await answer.text();
    expect(status).to.equal(200);
    expect(headers.get("content-type")).to.equal("text/html; charset=utf-8");
    expect(headers.get("cache-control")).to.equal("no-store");
    expect(headers.get("x-frame-options")).to.equal("DENY");
    expect(headers.get("x-content-type-options")).to.equal("nosniff");
    const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script]) => script!);
    expect(scripts).to.have.length(1);
    const digest = createHash("sha256").update(scripts[0]!).digest("base64");
    const policy = headers.get("content-security-policy")!.split("; ");
    expect(policy).to.include.members(["default-src 'none'", "connect-src 'self'", `script-src 'sha256-${digest}'`]);
    expect(policy.join("; ")).not.to.match(/script-src[^;]*unsafe|https?:|\*/);
    expect(html.replace(scripts[0]!, "")).not.to.match(/<(script|link|img|iframe)[^>]+(src|href)="(?!data:)/);
  });

  it("serves the page for every query, and for HEAD", async () => {
    for (const answer of [await open(NAVIGATION, "GET", "?query={viewer{id}}"), await open(NAVIGATION, "HEAD")]) {
      expect(answer.status).to.equal(200);
      expect(answer.headers.get("content-type")).to.match(/^text\/html/);
    }
  });

  it("serves no page to programs", async () => {
    for (const accept of [
      "*/*",
      "application/json",
      "application/graphql-response+json",
      "application/json, text/html;q=0.9",
    ]) {
      const answer = await open({ accept, "content-type": "application/json" }, "GET", "?query={viewer{id}}");
      expect(answer.headers.get("content-type"), accept).to.match(/json/);
      expect(await answer.json()).to.have.property("data");
    }
  });

  it("starts with valid operations", () => {
    expect(validate(createSchema(), parse(FIRST_QUERY))).to.deep.equal([]);
  });
});

describe("GET /graphql in a browser, without introspection", () => {
  const server = useServer({ config: { graphqlIntrospection: false } });

  it("serves no page", async () => {
    const answer = await fetch(`${server.url}/graphql`, { headers: NAVIGATION });
    expect(answer.status).to.equal(400);
    expect(answer.headers.get("content-type")).to.match(/json/);
    expect(await answer.text()).not.to.include("<");
  });
});
