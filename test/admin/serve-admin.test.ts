import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { request as ask, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect } from "chai";
import { useServer } from "../support/server.ts";

describe("Admin's pages over HTTP", () => {
  const server = useServer();
  /** Unlike fetch, it leaves answers compressed. */
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    new Promise<IncomingMessage>((resolve, reject) => {
      ask(`${server.url}${path}`, { headers, method }, resolve).on("error", reject).end();
    });
  const assetOf = (html: string) => /src="(\/admin\/assets\/[^"]+\.js)"/.exec(html)![1]!;
  const pageText = async () => (await buffer(await get("/admin/"))).toString();

  it("serve one page for every path below /admin, which browsers revalidate", async () => {
    const first = await get("/admin/");
    const body = await buffer(first);
    expect(first.statusCode).to.equal(200);
    expect(first.headers["content-type"]).to.equal("text/html; charset=utf-8");
    expect(first.headers["cache-control"]).to.equal("no-cache");
    for (const path of ["/admin", "/admin/login", "/admin/shop_1/keys?status=ACTIVE", "/admin/keys.html"]) {
      const answer = await get(path);
      expect(answer.statusCode, path).to.equal(200);
      expect((await buffer(answer)).equals(body), path).to.equal(true);
    }
    const again = await get("/admin/login", { "if-none-match": first.headers.etag! });
    expect(again.statusCode).to.equal(304);
    expect((await buffer(again)).length).to.equal(0);
  });

  it("forbid foreign scripts, frames and referrers", async () => {
    for (const path of ["/admin/", "/docs"]) {
      const { headers } = await get(path);
      const policy = headers["content-security-policy"];
      expect(policy).to.include("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).to.include("require-trusted-types-for 'script'; trusted-types 'none'");
      expect(policy).not.to.match(/unsafe|https?:|\*/);
      expect(headers).to.include({
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "x-frame-options": "DENY",
      });
    }
    expect(await pageText()).not.to.match(/<script>|<style|style=|\son\w+=/);
  });

  it("serve assets with hashed names, compressed for the client", async () => {
    const path = assetOf(await pageText());
    const plain = await get(path);
    const text = await buffer(plain);
    expect(plain.headers["content-type"]).to.match(/javascript/);
    expect(plain.headers["cache-control"]).to.equal("public, max-age=31536000, immutable");
    expect(plain.headers["content-encoding"]).to.equal(undefined);
    const forms = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [encoding, decompress] of Object.entries(forms)) {
      const answer = await get(path, { "accept-encoding": encoding });
      expect(answer.headers["content-encoding"]).to.equal(encoding);
      expect(answer.headers.vary).to.include("Accept-Encoding");
      expect(decompress(await buffer(answer)).equals(text)).to.equal(true);
    }
  });

  it("answer HEAD without a body, and refuse other methods", async () => {
    const head = await get("/admin/", {}, "HEAD");
    expect(head.statusCode).to.equal(200);
    expect((await buffer(head)).length).to.equal(0);
    expect((await get("/admin/", {}, "POST")).statusCode).to.equal(404);
  });

  it("answer 404 for missing files", async () => {
    for (const path of ["/admin/assets/none.js", "/admin/assets/", "/admin/assets/..%2findex.html", "/administrator"]) {
      expect((await get(path)).statusCode, path).to.equal(404);
    }
  });

  it("are the target of a redirect from /", async () => {
    const { statusCode, headers } = await get("/");
    expect(statusCode).to.equal(302);
    expect(headers.location).to.equal("/admin/");
  });

  it("load at most 200 KB compressed for the first view", async () => {
    const html = await pageText();
    const files = [...html.matchAll(/(?:src|href)="(\/admin\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path!);
    const sizes = await Promise.all(
      files.map(async (path) => (await buffer(await get(path, { "accept-encoding": "br" }))).length),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.below(200_000);
  });
});
