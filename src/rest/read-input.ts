import type { IncomingMessage } from "node:http";
import createError from "http-errors";
import type { Context } from "koa";
import type { z } from "zod";
import { invalidInput, invalidBody, type InputIssue } from "../core/model/errors.ts";
import { findInexactNumbers } from "../platform/http/exact-json.ts";
import { bodyText } from "../platform/http/request-body.ts";
import { collectError } from "../core/validation/bulk.ts";
import { parseInput } from "../core/validation/input.ts";
import { MAX_IDEMPOTENCY_KEY_LENGTH } from "../core/idempotency/run-idempotent.ts";

/** @throws AppError VALIDATION_FAILED with every parameter that is unknown, repeated or out of range */
export function readQuery<Schema extends z.ZodType>(querystring: string, schema: Schema): z.output<Schema> {
  const values: Record<string, string> = Object.create(null);
  const issues: InputIssue[] = [];
  for (const pair of querystring.split("&").filter(Boolean)) {
    const separator = pair.indexOf("=");
    const name = decode(separator < 0 ? pair : pair.slice(0, separator));
    const value = separator < 0 ? "" : decode(pair.slice(separator + 1));
    if (name === undefined || value === undefined) {
      issues.push({ path: name ?? "", code: "invalid_text", message: "Must be percent-encoded UTF-8" });
    } else if (name in values) {
      issues.push({ path: name, code: "repeated", message: "Must be given only once" });
    } else {
      values[name] = value;
    }
  }
  return parseAs("query", schema, { ...values }, issues);
}

/** Reads the Idempotency-Key header. Undefined without one. */
export function readIdempotencyKey(request: IncomingMessage): string | undefined {
  const values = request.headersDistinct["idempotency-key"];
  if (values === undefined) return undefined;
  const [value = ""] = values;
  if (values.length === 1 && value.length > 0 && value.length <= MAX_IDEMPOTENCY_KEY_LENGTH) return value;
  const message = `Must be given only once, with 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`;
  throw invalidInput([{ in: "header", path: "Idempotency-Key", code: "invalid_value", message }]);
}

/** @throws HttpError 413 or 415; AppError VALIDATION_FAILED */
export function readBody<Schema extends z.ZodType>(
  ctx: Context,
  schema: Schema,
  check: (body: Record<string, unknown>) => InputIssue[],
): z.output<Schema> {
  const text = jsonText(ctx);
  const value = parseJson(text);
  const body = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return parseAs("body", schema, value, [...checkNumbers(text, body), ...check(body)]);
}

/** The text of a JSON body. @throws HttpError 413 or 415; AppError VALIDATION_FAILED */
export function jsonText(ctx: Context): string {
  const encoding = ctx.get("Content-Encoding").toLowerCase();
  if ((encoding !== "" && encoding !== "identity") || ctx.is("application/json") === false) {
    throw createError(415, "Content-Type must be application/json, without Content-Encoding");
  }
  return bodyText(ctx, invalidBody);
}

/** Finds the fields whose number was rounded when the JSON text was parsed. */
export function checkNumbers(text: string, fields: Record<string, unknown>): InputIssue[] {
  return findInexactNumbers(text)
    .filter((name) => typeof fields[name] === "number")
    .map((path) => ({ path, code: "too_many_digits", message: "Has too many significant digits" }));
}

/** Parses a body. @throws AppError VALIDATION_FAILED also when it has more parts than any valid body */
export function parseJson(text: string, maxParts = MAX_PARTS): unknown {
  if (hasMoreParts(text, maxParts)) {
    const message = `Must have at most ${maxParts} fields and array elements`;
    throw invalidInput([{ in: "body", path: "", code: "too_big", message }]);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw invalidInput([{ in: "body", path: "", code: "invalid_json", message: "Must be valid JSON" }]);
  }
}

/** Parses a part of a request. Also refuses mistakes that were found before the schema was applied. */
export function parseAs<Schema extends z.ZodType>(
  part: "body" | "query",
  schema: Schema,
  value: unknown,
  earlier: InputIssue[] = [],
): z.output<Schema> {
  const issues = [...earlier];
  try {
    const parsed = parseInput(schema, value);
    if (issues.length === 0) return parsed;
  } catch (error) {
    issues.push(...collectError(error).issues);
  }
  throw invalidInput(issues.map((issue) => ({ ...issue, in: part })));
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/** A hundred times as many as in a valid body. */
const MAX_PARTS = 1_000;

/**
 * Returns true when JSON has more fields and array elements than this. Parsing and checking 15,000 fields takes 5 ms,
 * during which all other requests wait. Counting them takes 0.1 ms.
 */
function hasMoreParts(json: string, most: number): boolean {
  let parts = 0;
  let isText = false;
  for (let index = 0; index < json.length && parts <= most; index += 1) {
    const character = json[index];
    if (isText && character === "\\") index += 1;
    else if (character === '"') isText = !isText;
    else if (!isText && (character === "{" || character === "[" || character === ",")) parts += 1;
  }
  return parts > most;
}
