import type { ApolloServerPlugin } from "@apollo/server";
import type { Context } from "koa";
import type { CoreContext } from "../core/context.ts";
import type { InputIssue } from "../platform/errors.ts";

/** Answers a request that is refused before it is known to be GraphQL, in the form of GraphQL. */
export function refuseRequest(
  ctx: Context,
  status: number,
  error: { code: string; message: string; issues?: InputIssue[] | undefined },
): void {
  const { message, ...extensions } = error;
  ctx.status = status;
  ctx.type = "application/json; charset=utf-8";
  ctx.set("Cache-Control", "no-store");
  ctx.body = `${JSON.stringify({ errors: [{ message, extensions }] })}\n`;
}

const statuses: Record<string, number> = { UNAUTHENTICATED: 401, FORBIDDEN: 403, RATE_LIMITED: 429, UNAVAILABLE: 503 };

/** Apollo answers 500 to whatever fails before the execution, such as finding out who is asking. */
export function correctStatus(ctx: Context): void {
  if (ctx.status !== 500 || typeof ctx.body !== "string") return;
  const { errors } = JSON.parse(ctx.body) as { errors?: { extensions?: { code?: string } }[] };
  ctx.status = statuses[errors?.[0]?.extensions?.code ?? ""] ?? 500;
  if (ctx.status === 401) ctx.set("WWW-Authenticate", "Bearer");
  if (ctx.status === 503) ctx.set("Retry-After", "1");
}

const documentErrors = new Set<unknown>([
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "BAD_USER_INPUT",
  "OPERATION_RESOLUTION_FAILURE",
]);

/**
 * Whoever asks for application/json by name gets 200 for a document that does not parse, validate or fit its
 * variables: https://graphql.github.io/graphql-over-http/draft/#sec-application-json. Everybody else gets 400.
 */
export function answerLegacyClients(): ApolloServerPlugin<CoreContext> {
  return {
    requestDidStart: async ({ request }) => ({
      willSendResponse: async ({ response: { http, body } }) => {
        const accept = request.http?.headers.get("accept") ?? "";
        const isLegacy = accept.includes("application/json") && !accept.includes("application/graphql-response+json");
        if (http.status !== 400 || body.kind !== "single" || !isLegacy) return;
        const errors = body.singleResult.errors ?? [];
        if (errors.every(({ extensions }) => documentErrors.has(extensions?.code))) http.status = 200;
      },
    }),
  };
}
