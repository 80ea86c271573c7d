import { unwrapResolverError } from "@apollo/server/errors";
import { GraphQLError, type GraphQLFormattedError } from "graphql";
import { AppError } from "../core/model/errors.ts";
import { isDatabaseUnavailable } from "../platform/errors.ts";
import { logFailure } from "../platform/telemetry/log-failure.ts";
import type { Logger } from "../platform/telemetry/logger.ts";

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
    message: unavailable ? "Service unavailable" : "Internal server error",
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
