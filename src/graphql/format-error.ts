import { unwrapResolverError } from "@apollo/server/errors";
import { GraphQLError, type GraphQLFormattedError } from "graphql";
import { AppError } from "../core/model/errors.ts";
import { isDatabaseUnavailable } from "../platform/errors.ts";
import type { Logger } from "../platform/telemetry/logger.ts";

/** The part of an error that a caller may see. Every error has a code; a fault of ours is logged and shows nothing. */
export function formatError(formatted: GraphQLFormattedError, thrown: unknown, logger: Logger): GraphQLFormattedError {
  const error = unwrap(thrown);
  if (error instanceof AppError) {
    const { code, hint, issues } = error;
    return { ...formatted, message: error.message, extensions: { code, hint, issues } };
  }
  const { code, validationErrorCode } = formatted.extensions ?? {};
  // Apollo's message tells operators how to configure Apollo.
  if (validationErrorCode === "INTROSPECTION_DISABLED") return { ...formatted, message: "Introspection is off" };
  // Apollo's own refusals, such as a document that does not validate, say what the client did wrong.
  if (code !== "INTERNAL_SERVER_ERROR") return formatted;
  if (isBadArgument(error)) return { ...formatted, extensions: { code: "BAD_USER_INPUT" } };
  if (hasUnstorableText(error)) {
    return { ...formatted, message: "Text must not contain NUL characters", extensions: { code: "BAD_USER_INPUT" } };
  }
  logger.error({ err: error }, "GraphQL request failed");
  const unavailable = isDatabaseUnavailable(error);
  return {
    ...formatted,
    message: unavailable ? "Service unavailable" : "Internal server error",
    extensions: { code: unavailable ? "UNAVAILABLE" : "INTERNAL_SERVER_ERROR" },
  };
}

/** The error that a resolver threw, or that came up while finding out who is asking. */
function unwrap(thrown: unknown): unknown {
  const error = unwrapResolverError(thrown);
  return (error instanceof GraphQLError && error.originalError) || error;
}

/** Tells whether graphql-js found only when it came to the field that a variable brought a value that does not fit. */
function isBadArgument(error: unknown): boolean {
  if (!(error instanceof GraphQLError)) return false;
  return error.nodes !== undefined && error.message.startsWith('Argument "');
}

/**
 * Tells whether PostgreSQL met a NUL, which no text of its can hold. Operations refuse it in their input and name the
 * field; this is for arguments that are only looked up, such as an id.
 */
function hasUnstorableText(error: unknown): boolean {
  // https://www.postgresql.org/docs/current/errcodes-appendix.html: character_not_in_repertoire
  return error instanceof Error && (error as { code?: unknown }).code === "22021";
}
