/** An error that the operator can fix. Only its message is shown. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: connection exceptions, too many
// connections, admin shutdown, crash shutdown, cannot connect now, statement and lock time-outs, deadlocks, and
// serialization failures, which Citus reports while it moves a shop.
const unavailableStates = /^(08|53|57P0|57014|55P03|40P01|40001)/;
/** Of these, the ones about a single statement, whose place in the code matters. */
const statementStates = /^(57014|55P03|40P01|40001)/;
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

/**
 * Errors without a code: of node-postgres, of a connection between nodes of a Citus cluster, and of Citus
 * while it moves a shop.
 */
const unavailableMessages = [
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|is not queryable/,
  /server closed the connection unexpectedly|could not (receive data from|send data to) server|no connection to the server/,
  /failure on connection marked as essential|failed to COPY to shard|could not find valid entry for shard/,
];

// Errors that the operator can fix: a read-only transaction, as on a standby, and missing privileges.
const operatorStates = /^(25006|42501)/;

/** Returns true when PostgreSQL cannot serve now, so the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return causesOf(error).some(isUnavailable);
}

/** Returns true when no statement at all can run: PostgreSQL is away, restarts or is full. */
export function isDatabaseAway(error: unknown): boolean {
  return isDatabaseUnavailable(error) && !causesOf(error).some((cause) => statementStates.test(codeOf(cause)));
}

/** PostgreSQL's own message when it cannot serve now or lacks something that the operator can fix. */
export function databaseRefusal(error: unknown): string | undefined {
  // The driver's message contains the statement; its cause has PostgreSQL's message alone.
  return causesOf(error).findLast((cause) => isUnavailable(cause) || operatorStates.test(codeOf(cause)))?.message;
}

function isUnavailable(cause: Error): boolean {
  const code = codeOf(cause);
  if (networkCodes.has(code) || unavailableStates.test(code)) return true;
  return unavailableMessages.some((message) => message.test(cause.message));
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** The error and its causes, outermost first. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause ?? (cause as { previous?: unknown }).previous) {
    causes.push(cause);
  }
  return causes;
}
