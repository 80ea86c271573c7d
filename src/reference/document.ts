import type { Chapter } from "./chapters.ts";
import type { SampleRequest } from "./samples.ts";

/** The parts of an OpenAPI 3.0 document that the reference uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  nullable?: boolean;
  enum?: (string | number | null)[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

interface Header {
  $ref?: string;
  description?: string;
}

interface Content {
  "application/json"?: { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> };
}

export interface Response {
  description: string;
  headers?: Record<string, Header>;
  content?: Content;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
}

export interface ApiDocument {
  info: { title: string; version: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  "x-webhooks": Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema>; headers: Record<string, Header> };
}

/** An operation with its method and path. */
export interface Route {
  method: string;
  path: string;
  operation: Operation;
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

export const nameOf = ({ $ref }: { $ref?: string }): string | undefined => $ref?.slice($ref.lastIndexOf("/") + 1);

/** The response without an error. */
export function successOf({ responses }: Operation): { status: string; response: Response } {
  const [status, response] = Object.entries(responses).find(([each]) => each < "300")!;
  return { status, response };
}

/** An error that an operation can respond with. */
export interface ApiError {
  status: string;
  message: string;
}

export function errorsOf({ responses }: Operation): ApiError[] {
  return Object.entries(responses)
    .filter(([status]) => status >= "400")
    .flatMap(([status, { content }]) => {
      const examples = Object.values(content?.["application/json"]?.examples ?? {});
      const messages = new Set(examples.map(({ value }) => (value as { error: string }).error));
      return [...messages].map((message) => ({ status, message }));
    });
}

/** The identifier of the section that explains an error, such as `404-not-found` for all messages of a 404. */
export function anchorOf({ status, message }: ApiError, chapters: Chapter[]): string | undefined {
  const { subsections } = chapters.find(({ section }) => section.id === "errors")!;
  const sections = subsections.filter(({ title }) => title.startsWith(`${status} `));
  const own = sections.find(({ title }) => title === `${status} ${message}`);
  return (own ?? (sections.length === 1 ? sections[0] : undefined))?.id;
}

/** An example value. The document has none for optional parameters, because clients that import it would send them. */
export function exampleOf({ example, description = "" }: Parameter): string | undefined {
  return example === undefined ? /Example: `([^`]+)`/.exec(description)?.[1] : String(example);
}

/** The request of an operation's samples, with the examples of the document. */
export function exampleRequest(document: ApiDocument, { method, path, operation }: Route): SampleRequest {
  const examples = (operation.parameters ?? []).map((each) => [each.name, exampleOf(each) ?? "", each.in] as const);
  const values = Object.fromEntries(examples);
  return {
    method,
    url: document.servers[0]!.url + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]!),
    headers: Object.fromEntries(examples.filter(([, , place]) => place === "header")),
    body: exampleBody(operation),
    needsKey: needsKey(operation),
  };
}

export const needsKey = ({ security }: Operation): boolean => security?.length !== 0;

export function exampleBody({ requestBody }: Operation): string | undefined {
  return requestBody && toJson(requestBody.content["application/json"]!.example);
}

export const toJson = (value: unknown): string => JSON.stringify(value, null, 2);
