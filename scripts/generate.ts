// Writes what is derived from the resolvers: the schema as text, and its shape for typed documents.
import { writeFileSync } from "node:fs";
import { minifyIntrospection, outputIntrospectionFile } from "@gql.tada/internal";
import { introspectionFromSchema, lexicographicSortSchema, printSchema } from "graphql";
import { createSchema } from "../src/core/schema.ts";

const schema = lexicographicSortSchema(createSchema());
writeFileSync(new URL("../schema.graphql", import.meta.url), `${printSchema(schema)}\n`);
const introspection = minifyIntrospection(introspectionFromSchema(schema));
writeFileSync(
  new URL("../src/rest/introspection.d.ts", import.meta.url),
  outputIntrospectionFile(introspection, { fileType: ".d.ts", shouldPreprocess: true }),
);
