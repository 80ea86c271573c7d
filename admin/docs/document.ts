import { copy } from "./copy.ts";

/** The parts of an OpenAPI 3.0 document that this page uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  nullable?: boolean;
  enum?: (string | number | null)[];
  default?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

interface Content {
  "application/json"?: { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> };
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export interface ApiDocument {
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  "x-webhooks": Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema> };
}

/** An operation with its method and path. */
export interface Route {
  method: string;
  path: string;
  operation: Operation;
}

export async function loadDocument(): Promise<ApiDocument> {
  const response = await fetch("/api/v1/openapi.json", { credentials: "omit" });
  if (!response.ok) throw new Error(copy.loadFailed(response.status));
  return (await response.json()) as ApiDocument;
}

/** The operations of a tag, in the order of the document. */
export function routesOf(document: ApiDocument, tag: string): Route[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** The schema that a reference names, or the schema itself. */
export function resolve(document: ApiDocument, schema: Schema): Schema {
  const name = nameOf(schema);
  return name === undefined ? schema : document.components.schemas[name]!;
}

export const nameOf = ({ $ref }: Schema): string | undefined => $ref?.slice($ref.lastIndexOf("/") + 1);
