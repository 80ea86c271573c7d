import { OperatorError } from "../platform/errors.ts";

export interface Login {
  baseUrl: string;
  email: string;
  password: string;
  /** A code of the second factor, if the account has one. */
  code?: string;
}

/** A logged-in member of staff. */
export interface StaffClient {
  baseUrl: string;
  cookie: string;
}

/** @throws OperatorError */
export async function logIn({ baseUrl, ...credentials }: Login): Promise<StaffClient> {
  const document =
    "mutation ($email: String!, $password: String!, $code: String) { logIn(email: $email, password: $password, code: $code) { id } }";
  const { headers } = await send({ baseUrl, cookie: "" }, document, credentials);
  const cookies = headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  return { baseUrl, cookie: cookies.join("; ") };
}

/** @throws OperatorError with the server's message */
export async function ask<Data>(
  client: StaffClient,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Data> {
  return (await send<Data>(client, query, variables)).data;
}

interface Refusal {
  message: string;
  extensions?: { hint?: string; issues?: { path: string; message: string }[] };
}

async function send<Data>(
  { baseUrl, cookie }: StaffClient,
  query: string,
  variables: Record<string, unknown>,
): Promise<{ data: Data; headers: Headers }> {
  const response = await fetch(`${baseUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify({ query, variables }),
  }).catch((error: unknown) => {
    throw new OperatorError(`${baseUrl} does not respond. Start the server first: npm start`, { cause: error });
  });
  const { data, errors } = (await response.json().catch((error: unknown) => {
    throw new OperatorError(`${baseUrl}/graphql is not the GraphQL API of Merchant API`, { cause: error });
  })) as { data: Data; errors?: Refusal[] };
  if (errors?.[0]) throw new OperatorError(explain(errors[0]));
  return { data, headers: response.headers };
}

function explain({ message, extensions: { hint, issues = [] } = {} }: Refusal): string {
  const details = issues.map((issue) => `${issue.path}: ${issue.message}`);
  return [message, ...details, ...(hint === undefined ? [] : [hint])].join("\n  ");
}
