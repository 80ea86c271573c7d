import { readFile } from "node:fs/promises";
import { expect } from "chai";

/** A GraphQL request on a page of docs/. */
export interface PageRequest {
  name: string;
  document: string;
  variables: string;
}

export const readPage = (name: string) => readFile(new URL(`../../../docs/${name}`, import.meta.url), "utf8");

/** The requests of a page, in their order: a graphql block, and the json block after it where there is one. */
export async function readRequests(name: string): Promise<PageRequest[]> {
  const page = await readPage(name);
  const pattern = /```graphql\n([\s\S]*?)```\n+(?:```json\n([\s\S]*?)```)?/g;
  return [...page.matchAll(pattern)].map(([, document = "", variables = "{}"]) => ({
    name: /^(?:query|mutation) (\w+)/.exec(document)![1]!,
    document,
    variables,
  }));
}

/** The values for angle brackets, from the answers before. */
export function fillIn(text: string, known: Record<string, unknown>): string {
  return text.replace(/<([\w.]+)>/g, (_, path: string) => {
    const value = path.split(".").reduce<unknown>((from, step) => (from as Record<string, unknown>)?.[step], known);
    expect(value, `<${path}>`).to.be.a("string");
    return value as string;
  });
}
