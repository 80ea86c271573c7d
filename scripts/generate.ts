// Writes everything that is generated from the code: the schema as text, its types for documents, and the generated
// parts of pages, with their charts.
import { readFileSync, writeFileSync } from "node:fs";
import { minifyIntrospection, outputIntrospectionFile } from "@gql.tada/internal";
import { introspectionFromSchema, lexicographicSortSchema, printSchema } from "graphql";
import { createSchema } from "../src/core/schema.ts";
import { insertCommands } from "./command-table.ts";
import { insertConfiguration } from "./configuration-tables.ts";
import { drawCharts, insertPerformance } from "./performance.ts";
import { insertDiagram } from "./table-diagram.ts";
import { insertCatalog } from "./webhook-catalog.ts";

const schema = lexicographicSortSchema(createSchema());
writeFileSync(new URL("../schema.graphql", import.meta.url), `${printSchema(schema)}\n`);
const introspection = minifyIntrospection(introspectionFromSchema(schema));
writeFileSync(
  new URL("../schema.introspection.d.ts", import.meta.url),
  outputIntrospectionFile(introspection, { fileType: ".d.ts", shouldPreprocess: true }),
);

const pages = {
  webhooks: insertCatalog,
  configuration: insertConfiguration,
  cli: insertCommands,
  performance: insertPerformance,
  "decisions/model": insertDiagram,
};
for (const [name, insert] of Object.entries(pages)) {
  const page = new URL(`../docs/${name}.md`, import.meta.url);
  writeFileSync(page, insert(readFileSync(page, "utf8")));
}
for (const [name, chart] of Object.entries(drawCharts())) {
  writeFileSync(new URL(`../docs/images/${name}.svg`, import.meta.url), chart);
}
