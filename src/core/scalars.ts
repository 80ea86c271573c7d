import { GraphQLError, GraphQLScalarType, Kind } from "graphql";
import { Big } from "../platform/money.ts";

// Long enough for whatever a caller may mean, short enough to be cheap; bounds are the operations' own.
const decimalPattern = /^-?\d{1,400}(\.\d{1,400})?$/;

function parseDecimal(value: unknown): string {
  if (typeof value !== "string" || !decimalPattern.test(value)) {
    throw new GraphQLError('A Decimal is a string such as "19.99"');
  }
  return new Big(value).toFixed();
}

/** Exact amounts. PostgreSQL pads `numeric(18,4)` with zeros; what leaves here has none to spare. */
export const DecimalScalar = new GraphQLScalarType<string, string>({
  name: "Decimal",
  description: 'An exact decimal number as a string, such as "19.99". Money is in major units of the currency.',
  serialize: (value) => trimDecimal(value as string),
  parseValue: parseDecimal,
  parseLiteral: (node) => parseDecimal(node.kind === Kind.STRING ? node.value : undefined),
});

function trimDecimal(value: string): string {
  return value.includes(".") ? value.replace(/\.?0+$/, "") : value;
}

/** Instants are `Date` inside and ISO 8601 in UTC with milliseconds outside. */
export const TimestampScalar = new GraphQLScalarType<Date, string>({
  name: "Timestamp",
  description: "An instant in UTC, ISO 8601 with milliseconds, such as 2026-01-31T09:30:00.000Z.",
  // What comes back from JSON, a replayed result or rows in a row, holds the instant as text.
  serialize: (value) => (value instanceof Date ? value : new Date(value as string)).toISOString(),
  parseValue: (value) => parseTimestamp(value),
  parseLiteral: (node) => parseTimestamp(node.kind === Kind.STRING ? node.value : undefined),
});

function parseTimestamp(value: unknown): Date {
  const instant = typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) ? new Date(value) : undefined;
  if (!instant || Number.isNaN(instant.getTime())) throw new GraphQLError("A Timestamp is an ISO 8601 instant");
  return instant;
}
