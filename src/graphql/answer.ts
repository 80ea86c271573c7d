import type { ApolloServerPlugin } from "@apollo/server";
import { Kind, GraphQLError, type GraphQLFormattedError, type OperationDefinitionNode } from "graphql";
import type { Context } from "koa";
import { unwrapResolverError } from "@apollo/server/errors";
import type { CoreContext } from "../core/context.ts";
import { AppError, SERVICE_UNAVAILABLE, type InputIssue } from "../core/model/errors.ts";
import { isDatabaseUnavailable } from "../platform/errors.ts";
import { logFailure, type Logger } from "../platform/telemetry/logger.ts";

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

/** Reports the paths of answers that were replayed for idempotency keys. */
export function reportReplays(): ApolloServerPlugin<CoreContext> {
  return {
    requestDidStart: async ({ contextValue: { replays } }) => ({
      willSendResponse: async ({ response: { body } }) => {
        if (replays.length === 0 || body.kind !== "single") return;
        body.singleResult.extensions = { ...body.singleResult.extensions, idempotentReplays: replays };
      },
    }),
  };
}

/**
 * Formats an error for the client. Every error has a code. A fault of the service is logged, and its details are
 * hidden.
 */
export function formatError(formatted: GraphQLFormattedError, thrown: unknown, logger: Logger): GraphQLFormattedError {
  const error = unwrap(thrown);
  if (error instanceof AppError) {
    const { code, hint, issues } = error;
    return { ...formatted, message: error.message, extensions: { code, hint, issues } };
  }
  const { code, validationErrorCode } = formatted.extensions ?? {};
  // Apollo's message explains how to configure Apollo.
  if (validationErrorCode === "INTROSPECTION_DISABLED") return { ...formatted, message: "Introspection is off" };
  // Apollo's own errors, such as a validation error, describe the client's mistake.
  if (code !== "INTERNAL_SERVER_ERROR") return formatted;
  if (isBadArgument(error)) return { ...formatted, extensions: { code: "BAD_USER_INPUT" } };
  if (hasUnstorableText(error)) {
    return { ...formatted, message: "Text must not contain NUL characters", extensions: { code: "BAD_USER_INPUT" } };
  }
  logFailure(logger, error, "GraphQL request failed");
  const unavailable = isDatabaseUnavailable(error);
  return {
    ...formatted,
    message: unavailable ? SERVICE_UNAVAILABLE : "Internal server error",
    extensions: { code: unavailable ? "UNAVAILABLE" : "INTERNAL_SERVER_ERROR" },
  };
}

/** The error that a resolver or authentication threw. */
function unwrap(thrown: unknown): unknown {
  const error = unwrapResolverError(thrown);
  return (error instanceof GraphQLError && error.originalError) || error;
}

/** Returns true when graphql-js found only at the field that a variable's value does not fit its argument. */
function isBadArgument(error: unknown): boolean {
  if (!(error instanceof GraphQLError)) return false;
  return error.nodes !== undefined && error.message.startsWith('Argument "');
}

/**
 * Returns true when PostgreSQL refused a NUL, which its texts cannot hold. Operations refuse it in their input and name
 * the field; this covers arguments that are only looked up, such as ids.
 */
function hasUnstorableText(error: unknown): boolean {
  // https://www.postgresql.org/docs/current/errcodes-appendix.html: character_not_in_repertoire
  return error instanceof Error && (error as { code?: unknown }).code === "22021";
}
