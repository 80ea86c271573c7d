import { glob, readFile } from "node:fs/promises";
import { expect } from "chai";
import { Kind, parse, validate, type DocumentNode, type OperationDefinitionNode } from "graphql";
import { createSchema } from "../../src/core/schema.ts";
import { createMeasure } from "../../src/graphql/limits/query-cost.ts";

const MOST = 1_000;

describe("The documents of Admin's pages", () => {
  const schema = createSchema();
  const measure = createMeasure(schema);
  const documents: { file: string; document: DocumentNode }[] = [];

  before(async () => {
    for await (const file of glob("admin/**/*.{ts,tsx}")) {
      const text = await readFile(file, "utf8");
      const texts = [...text.matchAll(/graphql\(\s*`([^`]+)`/g)].map(([, document]) =>
        document!.replace(" @_unmask", ""),
      );
      const fragments = texts.filter((each) => /^\s*fragment/.test(each));
      for (const each of texts.filter((other) => !fragments.includes(other))) {
        const used = fragments.filter((fragment) => each.includes(`...${/fragment (\w+)/.exec(fragment)![1]}`));
        documents.push({ file, document: parse([each, ...used].join("")) });
      }
    }
  });

  it("exist and match the schema", () => {
    expect(documents.length).to.be.above(5);
    for (const { file, document } of documents) expect(validate(schema, document), file).to.deep.equal([]);
  });

  it(`cost less than ${MOST} each, including searches`, () => {
    for (const { file, document } of documents) {
      const operation = document.definitions.find(
        ({ kind }) => kind === Kind.OPERATION_DEFINITION,
      ) as OperationDefinitionNode;
      const names = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
      const variables = names.includes("search") ? { search: "mug" } : {};
      expect(measure(document, operation, variables).cost, `${operation.name?.value} in ${file}`).to.be.below(MOST);
    }
  });

  it("have unique names, which the log and metrics use", () => {
    const names = documents.map(({ document }) => (document.definitions[0] as OperationDefinitionNode).name?.value);
    expect(names).not.to.include(undefined);
    expect(new Set(names).size).to.equal(names.length);
  });
});
