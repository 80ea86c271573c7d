import { expect } from "chai";
import { serverAudits } from "graphql-http";
import { useServer } from "../support/server.ts";

/** Optional parts of the specification that this server lacks, by the audit's ID. */
const refused: Record<string, string> = {
  "5A70":
    "a plain GET is what a link or an image of another site can send: a header that only scripts set is asked for",
  D6D5: "as above, with variables",
  "6A70": "as above, with variables",
};

// https://graphql.github.io/graphql-over-http/draft/, as audited by the package of its authors.
describe("GraphQL over HTTP", () => {
  const server = useServer();
  const audits = serverAudits({ url: () => `${server.url}/graphql` });

  for (const { id, name, fn } of audits) {
    it(`${name} (${id})`, async () => {
      const result = await fn();
      if (id in refused) expect(result.status, "no longer refused: take it off the list").to.equal("notice");
      else expect(result.status, "reason" in result ? result.reason : "").to.equal("ok");
    });
  }

  it("fails only the listed audits", () => {
    const names = audits.filter(({ id }) => id in refused).map(({ name }) => name);
    expect(names).to.have.length(Object.keys(refused).length);
    for (const name of names) expect(name).to.match(/^MAY /);
  });
});
