import { GraphQLError } from "graphql";
import { TimestampScalar } from "../core/model/scalars.ts";
import { OperatorError } from "../platform/errors.ts";

const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * Parses the value of an option: an ISO 8601 instant, or a day, which means its start in UTC.
 *
 * @throws OperatorError
 */
export function readInstant(option: string, text: string): Date {
  try {
    return TimestampScalar.parseValue(DAY.test(text) ? `${text}T00:00Z` : text);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    throw new OperatorError(`${option}: Must be an ISO 8601 date or time, such as 2027-01-31 or 2027-01-31T09:30Z`);
  }
}
