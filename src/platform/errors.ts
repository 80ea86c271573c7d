/** An error that the operator can mend: shown as its message alone. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: connection exceptions, too many
// connections, admin shutdown, crash shutdown, cannot connect now, statement and lock time-outs, deadlocks.
const unavailableStates = /^(08|53|57P0|57014|55P03|40P01)/;
const networkCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EMFILE",
  "ENFILE",
]);

/** Tells whether the error means that PostgreSQL cannot serve now, so that the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause ?? (cause as { previous?: unknown }).previous) {
    const code = (cause as { code?: unknown }).code;
    if (typeof code === "string" && (networkCodes.has(code) || unavailableStates.test(code))) return true;
    // What node-postgres says without a code.
    if (/timeout exceeded when trying to connect|Connection terminated|is not queryable/.test(cause.message))
      return true;
  }
  return false;
}
