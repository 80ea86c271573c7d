import type { CallToolResult, Tool as Definition } from "@modelcontextprotocol/server";
import { z } from "zod";
import { MAX_IDEMPOTENCY_KEY_LENGTH } from "../core/idempotency/run-idempotent.ts";
import type { Caller, Permission } from "../core/model/permissions.ts";
import { text } from "../core/model/text.ts";
import type { Ticket } from "../platform/overload/permits.ts";

/** A call of a tool. */
export interface ToolCall {
  caller: Caller;
  /** The shop of the credential. */
  shopId: string;
  arguments: Record<string, unknown>;
  /** The text of the message, in which numbers are exact. */
  message: string;
  ticket: Ticket;
}

/** A tool for callers of one kind that have its permission. */
export interface Tool {
  kind: Caller["kind"];
  permission: Permission;
  definition: Definition;
  run: (call: ToolCall) => Promise<Record<string, unknown>>;
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

/** Characters of a text, because texts may come from anyone and may be long. */
const MAX_TEXT = 500;

/** The result of a call. Clients before 2025-06-18 read only its text. */
export function resultOf(answer: Record<string, unknown>): CallToolResult {
  const structuredContent = cutTexts(answer) as Record<string, unknown>;
  return { structuredContent, content: [{ type: "text", text: JSON.stringify(structuredContent) }] };
}

/** The result of a failed call, with the body of the REST error. */
export function failureOf(body: object): CallToolResult {
  return { isError: true, content: [{ type: "text", text: JSON.stringify(cutTexts(body)) }] };
}

/** Cuts long texts, and marks them as cut. */
function cutTexts(value: unknown): unknown {
  if (typeof value === "string") return cut(value);
  if (Array.isArray(value)) return value.map(cutTexts);
  if (value === null || typeof value !== "object" || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cutTexts(item)]));
}

function cut(value: string): string {
  if (value.length <= MAX_TEXT) return value;
  return `${value.slice(0, MAX_TEXT).toWellFormed()}… [cut: ${value.length} characters]`;
}
