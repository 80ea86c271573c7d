import { OperatorError } from "../platform/errors.ts";

export interface Login {
  baseUrl: string;
  email: string;
  password: string;
  /** A code of the second factor, if the account has one. */
  code?: string;
}

/** A caller of the GraphQL API, with the headers of its session or token. */
export interface Client {
  baseUrl: string;
  headers: Record<string, string>;
}

/** A logged-in member of staff. */
export type StaffClient = Client;

/** The server does not respond, or is overloaded or restarting. */
export class ServerUnavailable extends OperatorError {}

/** @throws OperatorError */
export async function logIn({ baseUrl, ...credentials }: Login): Promise<StaffClient> {
  const document =
    "mutation ($email: String!, $password: String!, $code: String) { logIn(email: $email, password: $password, code: $code) { id } }";
  const { headers } = await send({ baseUrl, headers: {} }, document, credentials);
  const cookies = headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  return { baseUrl, headers: { cookie: cookies.join("; ") } };
}

/** @throws OperatorError with the server's message */
export async function ask<Data>(
  client: Client,
  query: string,
  variables: Record<string, unknown> = {},
  signal?: AbortSignal,
): Promise<Data> {
  return (await send<Data>(client, query, variables, signal)).data;
}

interface Refusal {
  message: string;
  extensions?: { hint?: string; issues?: { path: string; message: string }[] };
}

async function send<Data>(
  { baseUrl, headers }: Client,
  query: string,
  variables: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<{ data: Data; headers: Headers }> {
  const response = await fetch(`${baseUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ query, variables }),
    signal: signal ?? null,
  }).catch((error: unknown) => {
    throw new ServerUnavailable(`${baseUrl} does not respond. Start the server first: npm start`, { cause: error });
  });
  if (response.status === 429 || response.status >= 500) {
    await response.body?.cancel();
    throw new ServerUnavailable(`${baseUrl} responds with ${response.status}`);
  }
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
