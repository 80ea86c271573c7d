import type { ApolloServerPlugin } from "@apollo/server";
import { Kind, type GraphQLFormattedError, type OperationDefinitionNode } from "graphql";
import type { Context } from "koa";
import type { CoreContext } from "../core/context.ts";
import type { InputIssue } from "../core/model/errors.ts";

/** Seconds until a client may retry. */
const RETRY_AFTER = "1";

interface ShownError {
  code: string;
  message: string;
  hint?: string | undefined;
  issues?: InputIssue[] | undefined;
  baseUrl?: string;
}

/** Renders a body with a single error. */
export function errorAnswer({ code, message, hint, issues, baseUrl }: ShownError): string {
  return `${JSON.stringify({ errors: [{ message, extensions: { code, hint, issues, baseUrl } }] })}\n`;
}

/** Refuses a request before Apollo handles it, with an error in GraphQL's format. */
export function refuseRequest(ctx: Context, status: number, error: ShownError): void {
  ctx.status = status;
  ctx.type = "application/json; charset=utf-8";
  ctx.set("Cache-Control", "no-store");
  if (status === 503) ctx.set("Retry-After", RETRY_AFTER);
  ctx.body = errorAnswer(error);
}

/** Refuses a page of another origin and names the right one, in case someone opened Admin at an unknown address. */
export function refuseForeignOrigin(ctx: Context, baseUrl: string): void {
  const message = `Sessions are available only at ${baseUrl}`;
  const hint = `Open Admin at ${baseUrl}/admin/.`;
  refuseRequest(ctx, 403, { code: "FOREIGN_ORIGIN", message, hint, baseUrl });
}

const statuses: Record<string, number> = { UNAUTHENTICATED: 401, FORBIDDEN: 403, RATE_LIMITED: 429, UNAVAILABLE: 503 };

/** Corrects the status: Apollo answers 500 to everything that fails before execution, such as authentication. */
export function correctStatus(ctx: Context): void {
  if (ctx.status !== 500 || typeof ctx.body !== "string") return;
  const { errors } = JSON.parse(ctx.body) as { errors?: { extensions?: { code?: string } }[] };
  ctx.status = statuses[errors?.[0]?.extensions?.code ?? ""] ?? 500;
  if (ctx.status === 401) ctx.set("WWW-Authenticate", "Bearer");
  if (ctx.status === 503) ctx.set("Retry-After", RETRY_AFTER);
}

const documentErrors = new Set<unknown>([
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "BAD_USER_INPUT",
  "OPERATION_RESOLUTION_FAILURE",
]);

/**
 * Answers 200 to clients that accept application/json for a document that does not parse, validate or fit its
 * variables: https://graphql.github.io/graphql-over-http/draft/#sec-application-json. Others get 400.
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

/** Answers 503 when the service was unavailable and nothing was done, so that proxies, monitors and clients notice. */
export function answerUnavailable(): ApolloServerPlugin<CoreContext> {
  return {
    requestDidStart: async () => ({
      willSendResponse: async ({ operation, response: { http, body } }) => {
        if (!operation || body.kind !== "single") return;
        const { data, errors = [] } = body.singleResult;
        const isEmpty = Object.values(data ?? {}).every((value) => value === null);
        if (errors.length === 0 || !isEmpty || !errors.every((error) => mayBeRepeated(operation, error))) return;
        http.status = 503;
        http.headers.set("retry-after", RETRY_AFTER);
      },
    }),
  };
}

/**
 * Returns true when the failed request certainly had no effect. A mutation's fields commit one after another, and their
 * subfields are read after the commit, so only a single field that failed itself may have done nothing.
 */
function mayBeRepeated(operation: OperationDefinitionNode, { extensions, path }: GraphQLFormattedError): boolean {
  if (extensions?.code !== "UNAVAILABLE") return false;
  if (operation.operation !== "mutation") return true;
  const { selections } = operation.selectionSet;
  return selections.length === 1 && selections[0]!.kind === Kind.FIELD && path?.length === 1;
}
