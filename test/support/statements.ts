import { after, before } from "mocha";
import pg from "pg";

/** The statements that the server in this process sends to PostgreSQL. */
export interface StatementLog {
  /** Does the work, and tells the texts of the statements that were sent meanwhile, in their order. */
  during: <Result>(work: () => Promise<Result>) => Promise<{ result: Result; statements: string[] }>;
}

/** Registers hooks that listen in on the server's connections for the tests of this block. */
export function useStatementLog(): StatementLog {
  const prototype = pg.Client.prototype as unknown as { query: (...call: unknown[]) => unknown };
  const { query } = prototype;
  let texts: string[] = [];
  before("listen in", () => {
    prototype.query = function listen(this: { connectionParameters: pg.ClientConfig }, ...call) {
      const [statement] = call as [string | { text?: string }];
      const isServer = this.connectionParameters.application_name === "merchant-api";
      if (isServer) texts.push(typeof statement === "string" ? statement : (statement.text ?? ""));
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
