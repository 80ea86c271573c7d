import type { initGraphQLTada, TadaDocumentNode } from "gql.tada";
import type { introspection } from "../schema.introspection.d.ts";
import { setClock } from "./clock.ts";
import { copy } from "./copy.ts";

type Tag = initGraphQLTada<{
  introspection: introspection;
  scalars: { Decimal: string; Timestamp: string; ID: string };
}>;

/** Types a GraphQL document with its variables and its result. Its fragments are `@_unmask`, a directive for the types. */
export const graphql = ((text: string, fragments: string[] = []) =>
  [text.replace(" @_unmask", ""), ...fragments].join("")) as unknown as Tag;

/** A validation error of one field, such as `lines.0.quantity`. */
interface Issue {
  path: string;
  /** Absent for issues that the page found. */
  code?: string;
  message: string;
}

interface Details {
  code: string;
  hint?: string;
  issues?: Issue[];
  baseUrl?: string;
}

/** An error response, or `UNREACHABLE` when no response came. */
export class RequestError extends Error {
  readonly code: string;
  readonly issues: readonly Issue[];
  readonly requestId: string | null;
  /** The server's public address, with the code `FOREIGN_ORIGIN`. */
  readonly baseUrl: string | undefined;

  constructor(message: string, details: Details & { requestId?: string | null }) {
    super(details.hint ? `${message}. ${details.hint}` : message);
    this.code = details.code;
    this.issues = details.issues ?? [];
    this.requestId = details.requestId ?? null;
    this.baseUrl = details.baseUrl;
  }
}

interface Answer<Data> {
  data?: Data;
  errors?: { message: string; extensions?: Details }[];
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** An automatic request, which does not extend the session. */
  isPoll?: boolean;
}

/** Sends a document with the viewer's session. @throws RequestError */
export async function request<Data, Variables>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  { signal, isPoll = false }: RequestOptions = {},
): Promise<Data> {
  const { response, answer } = await post<Data>(JSON.stringify({ query: document, variables }), signal, isPoll);
  const [error] = answer.errors ?? [];
  if (!error && answer.data) return answer.data;
  const details = error?.extensions ?? { code: "INTERNAL_SERVER_ERROR" };
  const requestId = response.headers.get("X-Request-Id");
  throw new RequestError(error?.message ?? copy.emptyResponse, { ...details, requestId });
}

async function post<Data>(
  body: string,
  signal: AbortSignal | undefined,
  isPoll: boolean,
): Promise<{ response: Response; answer: Answer<Data> }> {
  const headers = {
    Accept: "application/json",
    "Content-Type": "application/json",
    ...(isPoll && { "X-Session-Use": "none" }),
  };
  try {
    const response = await fetch("/graphql", { method: "POST", headers, body, signal });
    setClock(response.headers.get("Date"));
    return { response, answer: (await response.json()) as Answer<Data> };
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestError(copy.unreachable, { code: "UNREACHABLE" });
  }
}

/** Sends a request beside GraphQL with the viewer's session. @throws RequestError */
export async function send(path: string, init: RequestInit): Promise<void> {
  const response = await fetch(path, init).catch(() => {
    throw new RequestError(copy.unreachable, { code: "UNREACHABLE" });
  });
  if (response.ok) return;
  const { error, hint } = (await response.json()) as { error: string; hint?: string };
  const code = response.status === 401 ? "UNAUTHENTICATED" : String(response.status);
  throw new RequestError(error, { code, ...(hint !== undefined && { hint }) });
}

/** The first message of a field, or the error's message. */
export const messageOf = (error: Error) => (error instanceof RequestError && error.issues[0]?.message) || error.message;

/** True when the session has ended. */
export const isLoggedOut = (error: unknown) => error instanceof RequestError && error.code === "UNAUTHENTICATED";

/** True when the server is temporarily unavailable. */
export const isUnavailable = (error: unknown) =>
  error instanceof RequestError && (error.code === "UNREACHABLE" || error.code === "UNAVAILABLE");

/** The record that was asked for. @throws RequestError when it is null */
export function found<Found>(record: Found | null | undefined, message: string): Found {
  if (!record) throw new RequestError(message, { code: "NOT_FOUND" });
  return record;
}
