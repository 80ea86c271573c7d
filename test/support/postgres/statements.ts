import { after, before } from "mocha";
import { NamingClient } from "../../../src/platform/postgres/driver/naming-client.ts";

/** Records the statements that the server in this process sends to PostgreSQL. */
export interface StatementLog {
  /** Does the work, and returns the statements sent meanwhile, in order, with their time-outs. */
  during: <Result>(
    work: () => Promise<Result>,
  ) => Promise<{ result: Result; statements: string[]; timeouts: Set<number> }>;
}

/** Registers hooks that observe the server's connections for the tests of this block. */
export function useStatementLog(): StatementLog {
  const prototype = NamingClient.prototype as unknown as { query: (...call: unknown[]) => unknown };
  let query: typeof prototype.query;
  let texts: string[] = [];
  let timeouts = new Set<number>();
  before("listen in", () => {
    // Read late, because the check of statements has wrapped it since this file was loaded.
    query = prototype.query;
    prototype.query = function listen(this: { connectionParameters: { statement_timeout: number } }, ...call) {
      timeouts.add(this.connectionParameters.statement_timeout);
      const [statement] = call as [string | { text?: string }];
      const text = typeof statement === "string" ? statement : (statement.text ?? "");
      texts.push(text);
      return query.apply(this, call);
    };
  });
  after("listen no more", () => {
    prototype.query = query;
  });
  return {
    during: async (work) => {
      texts = [];
      timeouts = new Set();
      const result = await work();
      return { result, statements: texts, timeouts };
    },
  };
}
