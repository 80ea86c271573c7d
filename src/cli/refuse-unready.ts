import type { App } from "../app.ts";
import { OperatorError } from "../platform/errors.ts";
import type { Wait } from "../platform/postgres/reach-database.ts";

/**
 * Waits for the database and checks that this process is ready to work.
 *
 * @throws OperatorError that names what is missing, so that requests and deliveries do not fail one by one
 */
export async function refuseUnready(app: App, wait?: Wait): Promise<void> {
  for (;;) {
    const problems = await app.findProblems();
    if (problems.length === 0) return;
    if (problems.every(({ part }) => part !== "database")) {
      throw new OperatorError(problems.map(({ message }) => message).join("\n"));
    }
    await app.reachDatabase(wait);
  }
}
