import pg from "pg";
import { untilBlocked } from "../postgres/lock-waits.ts";
import { openBrowser } from "../browser/browser.ts";
import type { TestStaff } from "../factories.ts";
import type { GraphqlAnswer } from "../graphql.ts";
import type { TestServer } from "../server.ts";

/** Logs in while a statement changes account `$1`, and commits it as soon as the login waits for it. */
export async function logInDuring(server: TestServer, staff: TestStaff, statement: string): Promise<GraphqlAnswer> {
  const change = new pg.Client({ connectionString: server.databaseUrl });
  await change.connect();
  try {
    await change.query("begin");
    await change.query(statement, [staff.id]);
    const login = openBrowser(server).logIn(staff);
    await untilBlocked(server.databaseUrl);
    await change.query("commit");
    return await login;
  } finally {
    await change.end();
  }
}
