import type { initGraphQLTada, TadaDocumentNode } from "gql.tada";
import type { introspection } from "../schema.introspection.d.ts";
import { setClock } from "./ui/values/clock.ts";

type Tag = initGraphQLTada<{
  introspection: introspection;
  scalars: { Decimal: string; Timestamp: string; ID: string };
}>;

/** A GraphQL document that knows the types of its variables and of its answer. */
export const graphql = ((text: string) => text) as unknown as Tag;

/** A fault of one field of a form, such as `lines.0.quantity`. */
interface Issue {
  path: string;
  message: string;
}

interface Details {
  code: string;
  hint?: string;
  issues?: Issue[];
  baseUrl?: string;
}

/** An answer that is an error, or the lack of one: `UNREACHABLE`. */
export class RequestError extends Error {
  readonly code: string;
  /** By the name of the field. One object for as long as the error is shown: forms compare it. */
  readonly fields: Record<string, string>;
  readonly requestId: string | null;
  /** The server's public address, where the page was opened by another one: `FOREIGN_ORIGIN`. */
  readonly baseUrl: string | undefined;

  constructor(message: string, details: Details & { requestId?: string | null }) {
    super(details.hint ? `${message}. ${details.hint}` : message);
    this.code = details.code;
    this.fields = Object.fromEntries((details.issues ?? []).map(({ path, message: text }) => [path, text]));
    this.requestId = details.requestId ?? null;
    this.baseUrl = details.baseUrl;
  }
}

interface Answer<Data> {
  data?: Data;
  errors?: { message: string; extensions?: Details }[];
}

interface Options {
  signal?: AbortSignal;
  /** A request that nobody made by hand does not keep the session alive. */
  isPoll?: boolean;
}

/** Sends a document with the session of whoever is logged in. @throws RequestError */
export async function request<Data, Variables>(
  document: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  { signal, isPoll = false }: Options = {},
): Promise<Data> {
  const { response, answer } = await post<Data>(JSON.stringify({ query: document, variables }), signal, isPoll);
  const [error] = answer.errors ?? [];
  if (!error && answer.data) return answer.data;
  const details = error?.extensions ?? { code: "INTERNAL_SERVER_ERROR" };
  const requestId = response.headers.get("X-Request-Id");
  throw new RequestError(error?.message ?? "The server gave no answer", { ...details, requestId });
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
    throw new RequestError("The server does not answer", { code: "UNREACHABLE" });
  }
}

/** Tells whether the session is over. */
export const isLoggedOut = (error: unknown) => error instanceof RequestError && error.code === "UNAUTHENTICATED";

/** Tells whether the server is away, and may be back the next moment. */
export const isAway = (error: unknown) =>
  error instanceof RequestError && (error.code === "UNREACHABLE" || error.code === "UNAVAILABLE");
