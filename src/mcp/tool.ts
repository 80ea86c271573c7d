import type { CallToolResult, Tool as Definition } from "@modelcontextprotocol/server";
import type { Caller, Permission } from "../core/model/permissions.ts";
import type { Ticket } from "../platform/overload/permits.ts";

/** A call of a tool. */
export interface ToolCall {
  caller: Caller;
  /** The shop of the credential. */
  shopId: string;
  arguments: Record<string, unknown>;
  /** The text of the message, in which numbers are exact. */
  text: string;
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

/** The name of the argument that makes a retried write one change. */
export const IDEMPOTENCY_KEY = "idempotencyKey";

/** Descriptions of arguments. */
export const RETRIES = "Any unique text. Send the same again only to retry this call: it then changes nothing.";
export const NEXT_PAGE = "The nextCursor of the previous page, with its other arguments.";

/** Nothing is ever destroyed, and a retry changes nothing, since writes demand a key. */
export function annotate({
  isRead,
  isOpenWorld,
}: {
  isRead: boolean;
  isOpenWorld: boolean;
}): Definition["annotations"] {
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

function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT).toWellFormed()}… [cut: ${text.length} characters]`;
}
