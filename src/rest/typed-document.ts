import type { initGraphQLTada, TadaDocumentNode } from "gql.tada";
import { parse } from "graphql";
import type { introspection } from "../../schema.introspection.d.ts";

type Tag = initGraphQLTada<{
  introspection: introspection;
  scalars: { Decimal: string; Timestamp: string; ID: string };
}>;

/** A parsed GraphQL document, typed by its variables and its result. */
export const graphql = ((text: string) => parse(text, { noLocation: true })) as unknown as Tag;

export type { TadaDocumentNode };
