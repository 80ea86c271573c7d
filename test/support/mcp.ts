import { Client, StreamableHTTPClientTransport, type CallToolResult, type Tool } from "@modelcontextprotocol/client";
import { after } from "mocha";
import type { TestServer } from "./server.ts";
import type { World } from "./world.ts";

/** The revisions of the protocol that clients speak: the handshake of 2025, and requests that stand alone. */
export const GENERATIONS = ["2025-11-25", "2026-07-28"] as const;
export type Generation = (typeof GENERATIONS)[number];

export interface Assistant {
  client: Client;
  tools: () => Promise<Tool[]>;
  /** The result of a call, which the SDK has checked against the tool's output schema. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  call: (name: string, args?: Record<string, unknown>) => Promise<any>;
  /** The body of the error of a call. @throws Error when the call succeeds */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  refusal: (name: string, args?: Record<string, unknown>) => Promise<any>;
}

const clients: Client[] = [];
after("close the clients of MCP", () => Promise.all(clients.splice(0).map((client) => client.close())));

/** Connects the SDK's own client. */
export async function openAssistant(
  { url }: Pick<TestServer, "url">,
  credential: string,
  generation: Generation = "2026-07-28",
): Promise<Assistant> {
  const mode = generation === "2026-07-28" ? { pin: generation } : "legacy";
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${credential}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  clients.push(client);
  const send = (name: string, args = {}) => client.callTool({ name, arguments: args }) as Promise<CallToolResult>;
  const textOf = ({ content: [first] }: CallToolResult) => JSON.parse((first as { text: string }).text) as unknown;
  return {
    client,
    tools: async () => (await client.listTools()).tools,
    call: async (name, args) => {
      const result = await send(name, args);
      if (result.isError) throw new Error(`${name} was refused: ${JSON.stringify(result.content)}`);
      return result.structuredContent;
    },
    refusal: async (name, args) => {
      const result = await send(name, args);
      if (!result.isError) throw new Error(`${name} was not refused: ${JSON.stringify(result.structuredContent)}`);
      return textOf(result);
    },
  };
}

/** Connects with a new service token. */
export async function openService(world: World, permissions: readonly string[], generation?: Generation) {
  const { secret } = await world.run("createServiceToken", { input: { name: "Assistant", permissions } });
  return openAssistant(world.server, secret, generation);
}

export const LIST_TOOLS = { jsonrpc: "2.0", id: 1, method: "tools/list" };

/** Sends a message of 2025, or anything else, as it is. */
export async function postMcp(
  { url }: Pick<TestServer, "url">,
  credential: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${credential}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
