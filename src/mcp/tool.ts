import type { CallToolResult, Tool as Definition } from "@modelcontextprotocol/server";
import { z } from "zod";
import { MAX_IDEMPOTENCY_KEY_LENGTH } from "../core/idempotency/run-idempotent.ts";
import type { Caller, Needed } from "../core/model/permissions.ts";
import { text } from "../core/model/text.ts";
import { cut } from "../platform/texts.ts";
import type { Ticket } from "../platform/overload/permits.ts";

export type Json = Record<string, unknown>;

/** A call of a tool. */
export interface ToolCall {
  caller: Caller;
  /** The shop of the credential. */
  shopId: string;
  arguments: Json;
  /** The text of the message, in which numbers are exact. */
  message: string;
  /** The revision of the protocol that the header names. Empty without one. */
  version: string;
  ticket: Ticket;
}

/** A tool for callers of one kind that have its permission. */
export interface Tool {
  kind: Caller["kind"];
  permission: Needed;
  definition: Definition;
  run: (call: ToolCall) => Promise<Json>;
}

/** Rows per page of a list. */
export const MAX_ROWS = 50;

/** The arguments of each list. */
export const rows = {
  limit: z.int().min(1).max(MAX_ROWS).default(MAX_ROWS),
  cursor: z.string().optional().meta({ description: "The nextCursor of the previous page, with its other arguments." }),
};

/** The argument of each write. */
export const keySchema = z.object({
  idempotencyKey: text({ min: 1, max: MAX_IDEMPOTENCY_KEY_LENGTH }).meta({
    description: "Any unique text. Send the same again only to retry this call: it then changes nothing.",
  }),
});

type Override = NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"];

export function describeSchema(schema: z.ZodObject, override?: Override): Definition["inputSchema"] {
  const { $schema: _schema, id: _id, ...described } = z.toJSONSchema(schema, { io: "input", override });
  return described as never;
}

/** Nothing is ever destroyed, and a retry changes nothing, since writes demand a key. */
export function annotate(isRead: boolean, isOpenWorld = false): Definition["annotations"] {
  return { readOnlyHint: isRead, destructiveHint: false, idempotentHint: true, openWorldHint: isOpenWorld };
}

/** A number or boolean, as some models write it. Longer numbers would be rounded. */
const LITERAL = /^(?:-?(?:0|[1-9]\d{0,11})(?:\.\d{1,3})?|true|false)$/;

/** The arguments of a call as its tool expects them: without null for what is optional, and without text for numbers. */
export function readArguments({ definition }: Tool, given: Json): Json {
  const { properties = {}, required = [] } = definition.inputSchema;
  const read = Object.entries(given).flatMap(([name, value]) => {
    const { type } = (properties[name] ?? {}) as { type?: string };
    if (value === null && name in properties && !required.includes(name)) return [];
    const isText = typeof value === "string" && type !== undefined && ["integer", "number", "boolean"].includes(type);
    return [[name, isText && LITERAL.test(value) ? (JSON.parse(value) as unknown) : value]];
  });
  return Object.fromEntries(read) as Json;
}

/** Bytes of a list's answer, because clients cut answers of some 25,000 tokens. */
const MAX_BYTES = 60_000;
/** Bytes for what is not in the rows: totals, and the text with their ids and the cursor. */
const FRAME = 8_000;

/**
 * Reads a page of a list, again with fewer rows if those of the first answer are too large. So the cursor continues after
 * the last row, also while others write. A larger row is a page by itself.
 */
export async function readPage(read: (limit?: number) => Promise<Json>, limit?: number): Promise<Json> {
  const answer = cutTexts(await read(limit));
  let left = MAX_BYTES - FRAME;
  const fitting = rowsOf(answer)!.findIndex((row) => (left -= Buffer.byteLength(JSON.stringify(row)) + 1) < 0);
  return fitting < 0 || limit === 1 ? answer : readPage(read, Math.max(1, fitting));
}

/** The first revision whose clients read structured content. */
const STRUCTURED = "2025-06-18";

/** The result of a call. Its text names the records alone, unless the client reads nothing else. */
export function resultOf(answer: Json, version: string): CallToolResult {
  const isRead = version === "" || version >= STRUCTURED;
  const content = [{ type: "text" as const, text: JSON.stringify(isRead ? summaryOf(answer) : answer) }];
  return { content, ...(isRead && { structuredContent: answer }) };
}

/** The counts, ids and cursor of an answer. */
function summaryOf({ pagination, ...answer }: Json): Json {
  const idOf = (record: unknown) => (record as Json | null)?.id;
  const values = Object.entries(answer).filter(([, value]) => typeof value !== "object" || value === null);
  const id = Object.values(answer).map(idOf).find(Boolean);
  const records = rowsOf(answer);
  const ids = records && { rows: records.length, ids: records.flatMap((row) => idOf(row) ?? []) };
  return {
    ...(id !== undefined && { id }),
    ...(pagination as Json | undefined),
    ...ids,
    ...Object.fromEntries(values),
  };
}

function rowsOf(answer: Json): unknown[] | undefined {
  return Object.values(answer).find(Array.isArray) as unknown[] | undefined;
}

/** The result of a failed call, with the body of the REST error. */
export function failureOf(body: object): CallToolResult {
  return { isError: true, content: [{ type: "text", text: JSON.stringify(cutTexts(body)) }] };
}

/** Characters of a text, because texts may come from anyone and may be long. */
const MAX_TEXT = 500;

/** Cuts long texts in place, and marks them as cut. Cursors are sent back, and stay whole. */
export function cutTexts<Value extends object>(value: Value): Value {
  const items = value as Json;
  for (const name of Object.keys(items)) {
    const item = items[name];
    if (typeof item === "object" && item !== null) cutTexts(item);
    else if (typeof item === "string" && item.length > MAX_TEXT && name !== "nextCursor") {
      items[name] = `${cut(item, MAX_TEXT)}… [cut: ${item.length} characters]`;
    }
  }
  return value;
}
