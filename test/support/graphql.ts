import type { TestServer } from "./server.ts";

export interface GraphqlAnswer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  data: any;
  errors: { message: string; path?: string[]; extensions: { code: string } }[];
  extensions: { cost: { requested: number; maximum: number }; idempotentReplays?: (string | number)[][] };
}

/** Sends a GraphQL request. */
export async function askGraphql(
  server: Pick<TestServer, "url">,
  query: string,
  variables: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<GraphqlAnswer> {
  const response = await fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const {
    data,
    errors = [],
    extensions,
  } = (await response.json()) as Pick<GraphqlAnswer, "data" | "errors" | "extensions">;
  return { status: response.status, headers: response.headers, data, errors, extensions };
}

/** Logs in and returns the headers that carry the session. */
export async function logIn(
  server: Pick<TestServer, "url">,
  { email, password }: { email: string; password: string },
): Promise<{ cookie: string }> {
  const { headers } = await askGraphql(
    server,
    "mutation ($email: String!, $password: String!) { logIn(email: $email, password: $password) { id } }",
    { email, password },
  );
  const [cookie = ""] = headers.getSetCookie();
  return { cookie: cookie.split(";")[0]! };
}
