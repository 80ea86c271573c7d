import { expect } from "chai";
import { call } from "../client.ts";
import type { TestServer } from "../server.ts";

interface Operation {
  responses: Record<string, { content: { "application/json": { examples: Record<string, { value: unknown }> } } }>;
}

/** @throws AssertionError unless the document shows the answer as an example of the status, at every merchant route */
export async function expectShown(server: Pick<TestServer, "url">, status: number, answer: unknown): Promise<void> {
  const { paths } = (await call(server, "GET", "/openapi.json")).json;
  for (const [path, methods] of Object.entries<Record<string, Operation>>(paths)) {
    if (!path.includes("{shopId}")) continue;
    for (const { responses } of Object.values(methods)) {
      const shown = Object.values(responses[status]!.content["application/json"].examples);
      expect(
        shown.map(({ value }) => value),
        path,
      ).to.deep.include(answer);
    }
  }
}
