import { after, before } from "mocha";
import { NamingClient } from "../../../src/platform/postgres/driver/naming-client.ts";

/** The statements that the server in this process sends to PostgreSQL. */
export interface StatementLog {
  /** Does the work, and tells the texts of the statements that were sent meanwhile, in their order. */
  during: <Result>(work: () => Promise<Result>) => Promise<{ result: Result; statements: string[] }>;
}

/** Registers hooks that listen in on the server's connections for the tests of this block. */
export function useStatementLog(): StatementLog {
  const prototype = NamingClient.prototype as unknown as { query: (...call: unknown[]) => unknown };
  let query: typeof prototype.query;
  let texts: string[] = [];
  before("listen in", () => {
    // As it is now: the watch over statements has come since this file was read, and goes on.
    query = prototype.query;
    prototype.query = function listen(...call) {
      const [statement] = call as [string | { text?: string }];
      const text = typeof statement === "string" ? statement : (statement.text ?? "");
      // A connection that goes from the service's own work to a request's: as it happens.
      if (!text.endsWith("statement_timeout") && !text.startsWith("set statement_timeout")) texts.push(text);
      return query.apply(this, call);
    };
  });
  after("listen no more", () => {
    prototype.query = query;
  });
  return {
    during: async (work) => {
      texts = [];
      const result = await work();
      return { result, statements: texts };
    },
  };
}
