import { expect } from "chai";
import type { Answer } from "../support/client.ts";
import { logIn } from "../support/graphql.ts";
import { useServer } from "../support/server.ts";
import { exchange } from "../support/requests/wire.ts";
import { World } from "../support/world.ts";

const BODY = JSON.stringify({ query: "{ viewer { id } }" });

function describeOrigins(baseUrl: string, cookieName: string): void {
  describe(`A browser's request to /graphql at ${baseUrl}`, () => {
    const world = new World(useServer({ config: { baseUrl } }));
    const { server, staff, run } = world;
    let cookie: string;
    let id: string;
    let token: string;

    before(async () => {
      await world.open();
      id = staff.id;
      ({ cookie } = await logIn(server, staff));
      expect(cookie).to.match(new RegExp(`^${cookieName}=`));
      const { secret } = await run("createServiceToken", { input: { name: "GET", permissions: ["READ_PRODUCTS"] } });
      token = secret;
    });

    const ownHost = () => new URL(server.url).host;
    const protocol = new URL(baseUrl).protocol;

    async function send(
      headers: Record<string, string | undefined>,
      request = "POST /graphql",
      body = BODY,
    ): Promise<Answer> {
      const all = { Host: ownHost(), "Content-Type": "application/json", Cookie: cookie, ...headers };
      const lines = Object.entries(all)
        .filter(([, value]) => value)
        .map(([name, value]) => `${name}: ${value}`);
      const length = request.startsWith("GET") ? [] : [`Content-Length: ${body.length}`];
      const head = [`${request} HTTP/1.1`, ...lines, ...length, "Connection: close"].join("\r\n");
      const [answer] = await exchange(server, `${head}\r\n\r\n${request.startsWith("GET") ? "" : body}`);
      return answer!;
    }

    function expectRefusal({ status, json, text }: Answer): void {
      expect(status).to.equal(403);
      expect(json).to.deep.equal({
        errors: [
          {
            message: `Sessions are available only at ${baseUrl}`,
            extensions: { code: "FOREIGN_ORIGIN", hint: `Open Admin at ${baseUrl}/admin/.`, baseUrl },
          },
        ],
      });
      expect(text).not.to.include(id);
    }

    it("is answered from a page of this service, or from no page", async () => {
      for (const headers of [
        {},
        { Origin: new URL(baseUrl).origin },
        { "Sec-Fetch-Site": "same-origin" },
        { "Sec-Fetch-Site": "none" },
      ]) {
        const { status, json } = await send(headers);
        expect(status, JSON.stringify(headers)).to.equal(200);
        expect(json.data).to.deep.equal({ viewer: { id } });
      }
    });

    it("is refused from another site with the session", async () => {
      for (const headers of [
        { "Sec-Fetch-Site": "cross-site" },
        { "Sec-Fetch-Site": "cross-site", Origin: new URL(baseUrl).origin },
        { Origin: "https://elsewhere.example" },
        { Origin: "null" },
        { Origin: `${protocol}//${ownHost()}` },
        { Origin: `${protocol}//localhost:4000`, Host: "localhost:4000", "Sec-Fetch-Site": "same-origin" },
        { Origin: `${protocol}//elsewhere.example`, Host: "elsewhere.example" },
        { Origin: `${protocol}//elsewhere.example`, "X-Forwarded-Host": "elsewhere.example" },
        { Origin: `${baseUrl}.elsewhere.example` },
        { Origin: `${protocol}//elsewhere.example`, Host: new URL(baseUrl).host },
        { Origin: `${protocol === "https:" ? "http:" : "https:"}//${new URL(baseUrl).host}` },
        { Origin: "https://elsewhere.example", Cookie: `other=1; ${cookie}` },
        { Origin: "https://elsewhere.example", Cookie: `other=1;${cookie}; more=2` },
      ]) {
        expectRefusal(await send(headers));
      }
    });

    it("changes nothing when it is refused", async () => {
      const body = JSON.stringify({ query: "mutation { logOut }" });
      expectRefusal(await send({ "Sec-Fetch-Site": "cross-site" }, undefined, body));
      expect((await send({})).json.data).to.deep.equal({ viewer: { id } });
    });

    it("is refused without receiving the body", async () => {
      const head = `POST /graphql HTTP/1.1\r\nHost: ${ownHost()}\r\nCookie: ${cookie}\r\nSec-Fetch-Site: cross-site`;
      const [answer] = await exchange(server, `${head}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
      expectRefusal(answer!);
    });

    it("is refused before it opens a session from another site", async () => {
      const body = JSON.stringify({
        query: `mutation { logIn(email: "${staff.email}", password: "${staff.password}") { id } }`,
      });
      const answer = await send({ Cookie: "", Origin: "https://elsewhere.example" }, undefined, body);
      expectRefusal(answer);
      expect(answer.headers.get("set-cookie")).to.equal(null);
      expectRefusal(await send({ Cookie: "", "Sec-Fetch-Site": "cross-site" }, undefined, body));
    });

    it("is answered from any site with a service token", async () => {
      const headers = { Cookie: "", Origin: "app://internal-tool", Authorization: `Bearer ${token}` };
      expect((await send(headers)).status).to.equal(200);
    });

    it("cannot be read by other sites", async () => {
      const { headers } = await send({ Origin: "https://elsewhere.example", Cookie: "" });
      const preflight = await send(
        { Origin: "https://elsewhere.example", "Access-Control-Request-Method": "POST", Cookie: "" },
        "OPTIONS /graphql",
      );
      for (const each of [headers, preflight.headers]) {
        expect([...each.keys()].filter((name) => name.startsWith("access-control-"))).to.deep.equal([]);
      }
      expect(preflight.status).to.equal(403);
    });

    const VIEWER = `GET /graphql?query=${encodeURIComponent("{ viewer { memberships { permissions } } }")}`;

    it("is answered by GET with a service token, which browsers cannot be made to send", async () => {
      const headers = { Authorization: `Bearer ${token}`, "Content-Type": "", Cookie: "" };
      const { status, json } = await send(headers, VIEWER);
      expect(status).to.equal(200);
      expect(json.data).to.deep.equal({ viewer: { memberships: [{ permissions: ["READ_PRODUCTS"] }] } });
    });

    it("is refused by GET with only the session, or with Authorization that browsers send themselves", async () => {
      const basic = { Authorization: `Basic ${Buffer.from("user:password").toString("base64")}` };
      for (const [headers, status] of [
        [{}, 400],
        [basic, 401],
      ] as const) {
        const answer = await send({ "Content-Type": "", ...headers }, VIEWER);
        expect(answer.status).to.equal(status);
        expect(answer.json.data).to.equal(undefined);
      }
    });

    it("changes nothing by GET", async () => {
      const path = `GET /graphql?query=${encodeURIComponent("mutation { logOut }")}`;
      for (const headers of [
        {},
        { "Content-Type": "" },
        { "Apollo-Require-Preflight": "1", "Content-Type": "" },
        { Authorization: `Bearer ${token}`, "Content-Type": "" },
      ]) {
        const { status, json } = await send(headers as Record<string, string>, path);
        expect(status).to.be.oneOf([400, 405]);
        expect(json.errors).to.have.length(1);
      }
      expect((await send({})).json.data).to.deep.equal({ viewer: { id } });
    });
  });
}

describeOrigins("http://127.0.0.1:4000", "session");
describeOrigins("https://api.shop.example", "__Host-session");
