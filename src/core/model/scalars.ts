import { GraphQLError, GraphQLScalarType, Kind } from "graphql";
import { Big } from "../../platform/money.ts";

// Longer than any valid input, and short enough to be cheap. Operations have their own limits.
const decimalPattern = /^-?\d{1,400}(\.\d{1,400})?$/;

function parseDecimal(value: unknown): string {
  if (typeof value !== "string" || !decimalPattern.test(value)) {
    throw new GraphQLError('A Decimal is a string such as "19.99"');
  }
  return new Big(value).toFixed();
}

/** Exact decimals. Amounts come from PostgreSQL as written, with all decimals of their currency. */
export const DecimalScalar = new GraphQLScalarType<string, string>({
  name: "Decimal",
  description:
    'An exact decimal number as a string, such as "19.99". Amounts are in major units and have all decimals of the currency: "14.50", not "14.5". See `Shop.currencyDecimals`.',
  serialize: (value) => value as string,
  parseValue: parseDecimal,
  parseLiteral: (node) => parseDecimal(node.kind === Kind.STRING ? node.value : undefined),
});

/** Times are `Date` inside, and ISO 8601 in UTC with milliseconds outside. */
export const TimestampScalar = new GraphQLScalarType<Date, string>({
  name: "Timestamp",
  description: "An instant in UTC, ISO 8601 with milliseconds, such as 2026-01-31T09:30:00.000Z.",
  // In results from JSON, such as replayed ones or rows as JSON, times are text.
  serialize: (value) => (value instanceof Date ? value : new Date(value as string)).toISOString(),
  parseValue: (value) => parseTimestamp(value),
  parseLiteral: (node) => parseTimestamp(node.kind === Kind.STRING ? node.value : undefined),
});

// Requires a time zone, because the server cannot know the client's.
const timestampPattern = /^\d{4}-\d\d-(\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

function parseTimestamp(value: unknown): Date {
  if (typeof value !== "string" || !isTimestamp(value)) {
    throw new GraphQLError("A Timestamp is an ISO 8601 instant with Z or an offset, such as 2026-01-31T09:30:00.000Z");
  }
  return new Date(value);
}

/** Returns true for an ISO 8601 instant with Z or an offset. */
export function isTimestamp(text: string): boolean {
  const found = timestampPattern.exec(text);
  return found !== null && isDay(text, found[1]!) && isInFourDigitYear(new Date(text));
}

/** Returns false for days that do not exist: `Date` reads the 31st of a shorter month as a day of the next. */
function isDay(text: string, day: string): boolean {
  return new Date(`${text.slice(0, "2026-01-31".length)}T00:00Z`).getUTCDate() === Number(day);
}

/**
 * Returns false when an offset leads out of the years with four digits, which ISO 8601, PostgreSQL and `Date` read
 * alike.
 */
function isInFourDigitYear(instant: Date): boolean {
  const year = instant.getUTCFullYear();
  return year >= 0 && year <= 9_999;
}
