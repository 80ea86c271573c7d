import { expect } from "chai";
import { validate } from "graphql";
import { createSchema } from "../../src/core/schema.ts";
import { createMeasure } from "../../src/graphql/limits/query-cost.ts";
import { readAdminDocuments, type AdminDocument } from "../support/requests/admin-documents.ts";

const MOST = 1_000;

describe("The documents of Admin's pages", () => {
  const schema = createSchema();
  const measure = createMeasure(schema);
  let documents: AdminDocument[];

  before(async () => {
    documents = await readAdminDocuments();
  });

  it("exist and match the schema", () => {
    expect(documents.length).to.be.above(5);
    for (const { file, document } of documents) expect(validate(schema, document), file).to.deep.equal([]);
  });

  it(`cost less than ${MOST} each, including searches`, () => {
    for (const { file, document, operation } of documents) {
      const names = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
      const variables = names.includes("search") ? { search: "mug" } : {};
      expect(measure(document, operation, variables).cost, `${operation.name?.value} in ${file}`).to.be.below(MOST);
    }
  });

  it("have unique names, which the log and metrics use", () => {
    const names = documents.map(({ operation }) => operation.name?.value);
    expect(names).not.to.include(undefined);
    expect(new Set(names).size).to.equal(names.length);
  });
});
