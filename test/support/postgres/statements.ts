import { after, before } from "mocha";
import { NamingClient } from "../../../src/platform/postgres/driver/naming-client.ts";

/** The statements that the server in this process sends to PostgreSQL. */
export interface StatementLog {
  /** Does the work. Returns the texts of the statements that were sent meanwhile, in their order, and their time limits. */
  during: <Result>(
    work: () => Promise<Result>,
  ) => Promise<{ result: Result; statements: string[]; timeouts: Set<number> }>;
}

/** Registers hooks that listen in on the server's connections for the tests of this block. */
export function useStatementLog(): StatementLog {
  const prototype = NamingClient.prototype as unknown as { query: (...call: unknown[]) => unknown };
  let query: typeof prototype.query;
  let texts: string[] = [];
  let timeouts = new Set<number>();
  before("listen in", () => {
    // As it is now: the watch over statements has come since this file was read, and goes on.
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
