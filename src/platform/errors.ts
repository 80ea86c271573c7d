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

// For the operator to correct: a read-only transaction, as on a standby, and missing privileges.
const operatorStates = /^(25006|42501)/;

/** Tells whether the error means that PostgreSQL cannot serve now, so that the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return causesOf(error).some(isUnavailable);
}

/** PostgreSQL's own words, where it cannot serve now or refuses what its operator has to allow. */
export function databaseRefusal(error: unknown): string | undefined {
  // The driver's error repeats the statement; its cause does not.
  return causesOf(error).findLast((cause) => isUnavailable(cause) || operatorStates.test(codeOf(cause)))?.message;
}

function isUnavailable(cause: Error): boolean {
  const code = codeOf(cause);
  if (networkCodes.has(code) || unavailableStates.test(code)) return true;
  // What node-postgres says without a code.
  return /timeout exceeded when trying to connect|Connection terminated|is not queryable/.test(cause.message);
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** The error and what caused it, outermost first. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause ?? (cause as { previous?: unknown }).previous) {
    causes.push(cause);
  }
  return causes;
}
