import { expect } from "chai";
import { askGraphql, documentOf, type GraphqlAnswer } from "../graphql.ts";
import type { TestServer } from "../server.ts";

export interface TestBrowser {
  /** The browser's cookies, by name. */
  cookies: Map<string, string>;
  ask: (document: string, variables?: Record<string, unknown>) => Promise<GraphqlAnswer>;
  /** Sends a mutation by its name. The answer has every field of its type. */
  send: (mutation: string, variables?: Record<string, unknown>) => Promise<GraphqlAnswer>;
  logIn: (account: { email: string; password: string; code?: string }) => Promise<GraphqlAnswer>;
}

/** Stores cookies like a browser, and sends requests with the given headers. */
export function openBrowser(server: TestServer, headers: Record<string, string> = {}): TestBrowser {
  const cookies = new Map<string, string>();
  const ask: TestBrowser["ask"] = async (document, variables = {}) => {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const answer = await askGraphql(server, document, variables, { ...headers, ...(cookie && { cookie }) });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === "") cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    return answer;
  };
  const send: TestBrowser["send"] = (mutation, variables) => ask(documentOf(mutation), variables);
  const logIn: TestBrowser["logIn"] = ({ email, password, code }) => send("logIn", { email, password, code });
  return { cookies, ask, send, logIn };
}

/** A browser with a session. */
export async function openBrowserAs(
  server: TestServer,
  account: { email: string; password: string; code?: string },
): Promise<TestBrowser> {
  const browser = openBrowser(server);
  expect(codesOf(await browser.logIn(account))).to.deep.equal([]);
  return browser;
}

/** The codes of an answer's errors. */
export function codesOf({ errors }: Pick<GraphqlAnswer, "errors">): string[] {
  return errors.map(({ extensions }) => extensions.code);
}

/** The paths of invalid input in an answer that has nothing else. */
export function issuesOf(answer: GraphqlAnswer): string[] {
  expect(codesOf(answer)).to.deep.equal(["VALIDATION_FAILED"]);
  const { issues } = answer.errors[0]!.extensions as unknown as { issues: { path: string }[] };
  return issues.map(({ path }) => path);
}
