import { after, before } from "mocha";
import type { QueryResult } from "kysely";
import { Connection, type NamedQuery } from "../../../src/platform/postgres/driver/postgres-driver.ts";

/** A statement with the values of its parameters. */
export interface SentStatement {
  text: string;
  values: unknown[];
}

/** Records the statements that the server in this process sends to PostgreSQL. */
export interface StatementLog {
  /** Does the work, and returns the statements sent meanwhile, in order: with values, and their texts, names and time-outs. */
  during: <Result>(work: () => Promise<Result>) => Promise<{
    result: Result;
    sent: SentStatement[];
    statements: string[];
    names: (string | undefined)[];
    timeouts: Set<number>;
  }>;
}

/** Registers hooks that observe the server's connections for the tests of this block. */
export function useStatementLog(): StatementLog {
  let executeQuery: Connection["executeQuery"];
  let sent: SentStatement[] = [];
  let names: (string | undefined)[] = [];
  let timeouts = new Set<number>();
  before("listen in", () => {
    // Read late, because the check of statements has wrapped it since this file was loaded.
    executeQuery = Connection.prototype.executeQuery;
    Connection.prototype.executeQuery = function listen<Row>(this: Connection, statement: NamedQuery) {
      const { connectionParameters } = this.client as unknown as {
        connectionParameters: { statement_timeout: number };
      };
      timeouts.add(connectionParameters.statement_timeout);
      sent.push({ text: statement.sql, values: [...statement.parameters] });
      names.push(statement.name);
      return executeQuery.call(this, statement) as Promise<QueryResult<Row>>;
    };
  });
  after("listen no more", () => {
    Connection.prototype.executeQuery = executeQuery;
  });
  return {
    during: async (work) => {
      sent = [];
      names = [];
      timeouts = new Set();
      const result = await work();
      return { result, sent, statements: sent.map(({ text }) => text), names, timeouts };
    },
  };
}
