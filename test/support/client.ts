import { assertDocumented } from "./requests/openapi-validator.ts";
import type { TestServer } from "./server.ts";

export interface CallOptions {
  key?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. A string is sent unchanged. */
  body?: unknown;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  json: any;
}

/** Calls the REST API and checks the answer against the served OpenAPI document. */
export async function call(
  server: Pick<TestServer, "url">,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const { key, headers = {}, body } = options;
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: {
      accept: "application/json",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    body: body === undefined || typeof body === "string" ? (body as string | undefined) : JSON.stringify(body),
  });
  const text = await response.text();
  const answer = { status: response.status, headers: response.headers, text, json: parse(text) };
  await assertDocumented(server, method, path, answer);
  return answer;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
