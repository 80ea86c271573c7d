import { textOf, type Chapter } from "./chapters.ts";
import {
  errorsOf,
  successOf,
  exampleRequest,
  toJson,
  type ApiDocument,
  type Parameter,
  type Route,
} from "./document.ts";
import { fieldsOf, headerFields, parameterField, type Field } from "./fields.ts";
import { SCHEMA_INTRODUCTION, type SchemaEntry, type SchemaPart } from "./graphql-schema.ts";
import { relink } from "./markdown-to-html.ts";
import type { Reference, Resource } from "./reference.ts";
import { samples } from "./samples.ts";

/** A page of the reference as Markdown. */
export interface MarkdownPage {
  name: string;
  title: string;
  /** One sentence. */
  summary: string;
  text: string;
}

const fences = { curl: "sh", TypeScript: "ts", Python: "python" } as const;

/** The pages of the reference: each chapter, each resource, the events, and the changelog. */
export function describePages({
  document,
  chapters,
  webhooks,
  copy,
  resources,
  topics,
  changelog,
}: Reference): MarkdownPage[] {
  const address = `${document.servers[0]!.url}/docs`;
  const events = topics.map(({ name, operation }) => {
    const body = operation.requestBody!.content["application/json"]!;
    const data = fieldsOf(document, body.schema).find((field) => field.name === "data")!;
    return `## ${name}\n\n${operation.description}\n\n${outputs("Fields of `data`", data.children)}\n${fence("json", toJson(body.example))}`;
  });
  return [
    ...[...chapters, webhooks, copy].map((chapter) => describeChapter(chapter, address)),
    ...resources.map((resource) => describeResource(document, resource)),
    { name: "events", title: "Events", summary: "The body of each topic.", text: `# Events\n\n${events.join("\n")}` },
    describeChapter(changelog, address),
  ];
}

/** The index for language models. https://llmstxt.org */
export function describeIndex({ document, chapters, resources }: Reference, pages: MarkdownPage[]): string {
  const { url } = document.servers[0]!;
  const link = ({ name, title, summary }: MarkdownPage) => `- [${title}](${url}/docs/${name}.md): ${summary}`;
  const links = pages.map(link);
  const firstResource = chapters.length + 2;
  const firstOther = firstResource + resources.length;
  return `# ${document.info.title}

> ${pages[0]!.summary}

Every request needs an API key: \`Authorization: Bearer <key>\`. All routes are below \`${url}/api/v1/{shopId}\`.

## Chapters

${links.slice(0, firstResource).join("\n")}

## Operations

${links.slice(firstResource, firstOther).join("\n")}

## Webhooks

${links.slice(firstOther, -1).join("\n")}

## Optional

${links.at(-1)}
- [The whole reference](${url}/docs.md): All pages in one.
- [GraphQL schema](${url}/docs/graphql.md): For staff, tills and internal tools.
- [OpenAPI document](${url}/api/v1/openapi.json): OpenAPI 3.0.3, with the schema of each body.
`;
}

function describeChapter({ section, subsections }: Chapter, address: string): MarkdownPage {
  const text = [
    `# ${section.title}\n\n${textOf(section).trim()}\n`,
    ...subsections.map((each) => `## ${each.title}\n\n${textOf(each).trim()}\n`),
  ].join("\n");
  const paragraph = section.tokens.find(({ type }) => type === "paragraph")!;
  const summary = /^.*?\.(?=\s|$)/.exec((paragraph.raw as string).replaceAll("\n", " "))![0];
  return {
    name: section.id,
    title: section.title,
    summary: relink(summary, address),
    text: relink(text, address),
  };
}

function describeResource(document: ApiDocument, { name, description, routes }: Resource): MarkdownPage {
  return {
    name: name.toLowerCase(),
    title: name,
    summary: `${routes.map(({ operation }) => operation.summary).join(". ")}.`,
    text: `# ${name}\n\n${description}\n\n${routes.map((route) => describeRoute(document, route)).join("\n")}`,
  };
}

function describeRoute(document: ApiDocument, route: Route): string {
  const { method, path, operation } = route;
  const { status, response } = successOf(operation);
  const answer = response.content!["application/json"]!;
  const input = operation.requestBody?.content["application/json"];
  const parameters = (place: Parameter["in"]) =>
    (operation.parameters ?? []).filter((each) => each.in === place).map((each) => parameterField(document, each));
  const request = exampleRequest(document, route);
  const errors = errorsOf(operation).map((error) => `- ${error.status} ${error.message}\n`);
  return [
    `## ${operation.summary}\n\n\`${method} ${path}\`\n\n${operation.description}\n`,
    inputs("Path parameters", parameters("path")),
    inputs("Query parameters", parameters("query")),
    inputs("Headers", parameters("header")),
    inputs("Body", input ? fieldsOf(document, input.schema) : []),
    "### Request\n",
    ...Object.entries(samples).map(([language, print]) =>
      fence(fences[language as keyof typeof fences], print(request)),
    ),
    `### Response ${status}\n`,
    fence("json", toJson(answer.example)),
    outputs("Fields of the response", fieldsOf(document, answer.schema)),
    outputs("Headers of the response", headerFields(document, response)),
    `### Errors\n\n${errors.join("")}`,
  ]
    .filter(Boolean)
    .join("\n");
}

/** The GraphQL schema by noun. */
export function describeSchema(parts: readonly SchemaPart[]): string {
  const describe = ({ title, kind, description, returns, fields, fieldsTitle }: SchemaEntry) =>
    [
      `### ${title}\n\n${kind}${returns ? `, returns \`${returns.type}\`` : ""}\n`,
      description && `${description}\n`,
      fields.length > 0 && `${fieldsTitle}:\n\n${fieldLines(fields, true)}`,
    ]
      .filter(Boolean)
      .join("\n");
  const texts = parts.map(({ title, entries }) => `## ${title}\n\n${entries.map(describe).join("\n")}`);
  return [`# GraphQL schema\n\n${SCHEMA_INTRODUCTION}\n`, ...texts].join("\n");
}

const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`;

/** The fields of a request. */
const inputs = (title: string, fields: Field[]) => list(title, fields, true);

/** The fields of a response, which has all of them. */
const outputs = (title: string, fields: Field[]) => list(title, fields, false);

function list(title: string, fields: Field[], marksRequired: boolean): string {
  return fields.length > 0 ? `### ${title}\n\n${fieldLines(fields, marksRequired)}` : "";
}

function fieldLines(fields: Field[], marksRequired: boolean, indent = ""): string {
  return fields
    .map(({ name, type, isRequired, description, notes, children }) => {
      const text = [description, notes].filter(Boolean).join(" ");
      const kind = marksRequired && isRequired ? `${type}, required` : type;
      const line = `${indent}- \`${name}\`${kind && ` (${kind})`}${text && `: ${text}`}\n`;
      return line + fieldLines(children, marksRequired, `${indent}  `);
    })
    .join("");
}
