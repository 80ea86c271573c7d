import { expect } from "chai";
import { buildShop, buildStaff } from "../support/factories.ts";
import { askGraphql, logIn, type GraphqlAnswer } from "../support/graphql.ts";
import { useServer } from "../support/server.ts";

describe("Requests to /graphql", () => {
  const server = useServer();

  async function post(type: string | undefined, body: string | Buffer, more: Record<string, string> = {}) {
    const headers = { ...(type !== undefined && { "content-type": type }), ...more };
    const response = await fetch(`${server.url}/graphql`, { method: "POST", headers, body });
    return { status: response.status, text: await response.text() };
  }

  const query = JSON.stringify({ query: "{ viewer { id } }" });

  it("are refused with a body that a form of another site can send", async () => {
    const staff = await buildStaff(server.em, await buildShop(server.em));
    const session = await logIn(server, staff);
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const { status, text } = await post(type, query, session);
      expect(status, type).to.equal(400);
      expect(text).not.to.include(staff.id);
    }
    const response = await fetch(`${server.url}/graphql?query={viewer{id}}`, { headers: session });
    expect(response.status).to.equal(400);
    expect(await response.text()).not.to.include(staff.id);
  });

  it("are refused when they are not JSON or not UTF-8", async () => {
    for (const body of ["{", "", "nonsense", Buffer.from('{"query":"\u00e4"}', "latin1")]) {
      const { status, text } = await post("application/json", body);
      expect(status, String(body)).to.equal(400);
      const { errors } = JSON.parse(text) as Pick<GraphqlAnswer, "errors">;
      expect(errors[0]!.extensions.code, String(body)).to.be.oneOf(["BAD_REQUEST", "VALIDATION_FAILED"]);
    }
  });

  it("are refused over 256 KiB", async () => {
    expect((await post("application/json; charset=utf-8", query.padEnd(256 * 1024))).status).to.equal(200);
    expect((await post("application/json", query.padEnd(256 * 1024 + 1))).status).to.equal(413);
  });
});

describe("/graphql without introspection", () => {
  const server = useServer({ config: { graphqlIntrospection: false } });

  it("does not show its schema", async () => {
    const { status, errors } = await askGraphql(server, "{ __schema { types { name } } }");
    expect(status).to.equal(400);
    expect(errors).to.have.length(1);
    expect(errors[0]!.message).to.equal("Introspection is off");
  });

  it("suggests no field names", async () => {
    const { errors } = await askGraphql(server, "{ viewe { id } }");
    expect(errors[0]!.message).not.to.include("viewer");
  });
});
