import {
  coerceInputValue,
  getNullableType,
  GraphQLBoolean,
  GraphQLInt,
  isEnumType,
  isListType,
  isRequiredArgument,
  parse,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from "graphql";
import type { Gateway } from "../core/gateway.ts";
import { AppError, invalidInput, type InputIssue } from "../core/model/errors.ts";
import { isSlowToFind } from "../core/model/page.ts";
import { checkText } from "../core/model/text.ts";
import { COSTLY } from "../platform/overload/permits.ts";
import { documents, type ToolDocument } from "./documents.ts";
import { annotate, IDEMPOTENCY_KEY, MAX_ROWS, NEXT_PAGE, RETRIES, type Tool } from "./tool.ts";

type Json = Record<string, unknown>;

/** Characters of an argument, more than any valid one has. */
const MAX_ARGUMENT = 1_000;

/** Makes a tool of each document, for services. */
export function documentTools(schema: GraphQLSchema, gateway: Gateway): Tool[] {
  return Object.entries(documents).map(([name, document]) => toolOf(name, document, schema, gateway));
}

function toolOf(name: string, document: ToolDocument, schema: GraphQLSchema, gateway: Gateway): Tool {
  const { field, permission, pages } = document;
  const mutation = schema.getMutationType()!.getFields()[field];
  const { args: all, description } = mutation ?? (schema.getType("Shop") as GraphQLObjectType).getFields()[field]!;
  const args = all.filter((arg) => arg.name !== "shopId" && arg.name !== "page");
  const isList = args.some((arg) => arg.name === "after");
  const shown = pages ? args.filter((arg) => arg.name === "apiKeyId" || arg.name === "path") : args;
  const run = gateway.prepare<Json, Json>(parse(textOf(name, document, args, { isList, isWrite: !!mutation })));
  return {
    kind: "service",
    permission,
    definition: {
      name,
      description: document.description ?? firstSentence(description),
      inputSchema: describeArguments(shown),
      // Writes here reach the receivers of webhooks.
      annotations: annotate({ isRead: !mutation, isOpenWorld: !!mutation }),
    },
    run: async ({ caller, shopId, arguments: given, ticket }) => {
      const access = gateway.authorize(caller, shopId, permission)!;
      const variables: Json = { shopId, ...readArguments(shown, given) };
      if (isSlowToFind(variables)) await ticket.takePermits(COSTLY);
      const answers: Json[] = [];
      for (const more of pages?.variables ?? [{}]) {
        const { data, isReplay } = await run({ ...variables, ...more }, access, ticket.permits);
        const value = (mutation ? data : (data.shop as Json))[field] as Json | null;
        if (value === null) throw new AppError("NOT_FOUND", "Record not found");
        answers.push(isList ? value : { [field]: value, ...(mutation && { replayed: isReplay }) });
      }
      return pages ? pages.summarize(answers as never) : answers[0]!;
    },
  };
}

/** The text of the document, with a variable for each argument. */
function textOf(
  name: string,
  { field, selection }: ToolDocument,
  args: readonly GraphQLArgument[],
  { isList, isWrite }: { isList: boolean; isWrite: boolean },
): string {
  const types = args.map(
    (arg) => `$${arg.name}: ${String(isRequiredArgument(arg) ? arg.type : getNullableType(arg.type))}`,
  );
  const given = args.map((arg) => `${arg.name}: $${arg.name}`).join(" ");
  const fields = isList ? `{ total nextCursor items { ${selection} } }` : `{ ${selection} }`;
  const variables = `${name}($shopId: ID! ${types.join(" ")})`;
  if (isWrite) return `mutation ${variables} { ${field}(shopId: $shopId ${given}) ${fields} }`;
  return `query ${variables} { shop(id: $shopId) { ${field}${given && `(${given})`} ${fields} } }`;
}

/** The name of an argument in a tool. Pages continue with `cursor`, as those of routes do. */
const nameOf = ({ name }: GraphQLArgument) => (name === "after" ? "cursor" : name);

const isRequired = (argument: GraphQLArgument) => isRequiredArgument(argument) || argument.name === IDEMPOTENCY_KEY;

function describeArguments(args: readonly GraphQLArgument[]): Tool["definition"]["inputSchema"] {
  return {
    type: "object",
    properties: Object.fromEntries(args.map((argument) => [nameOf(argument), describeArgument(argument)])),
    required: args.filter(isRequired).map(nameOf),
    additionalProperties: false,
  } as never;
}

const shared: Record<string, Json> = {
  limit: { type: "integer", minimum: 1, maximum: MAX_ROWS, default: MAX_ROWS },
  after: { type: "string", description: NEXT_PAGE },
  [IDEMPOTENCY_KEY]: { type: "string", description: RETRIES },
};

function describeArgument({ name, type, description, defaultValue }: GraphQLArgument): Json {
  return shared[name] ?? { ...describeType(type), description: firstSentence(description), default: defaultValue };
}

/** Leaves out the rules of long descriptions, which errors name. */
const firstSentence = (text: string | null | undefined) => /^.*?\.(?=\s|$)/.exec(text ?? "")?.[0] ?? "";

function describeType(given: GraphQLInputType): Json {
  const type = getNullableType(given);
  if (isListType(type)) return { type: "array", items: describeType(type.ofType) };
  if (isEnumType(type)) return { type: "string", enum: type.getValues().map(({ name }) => name) };
  if (type === GraphQLInt) return { type: "integer" };
  if (type === GraphQLBoolean) return { type: "boolean" };
  return { type: "string", ...(type.name === "Timestamp" && { format: "date-time" }) };
}

/** The variables of a document from the arguments of a call. @throws AppError VALIDATION_FAILED */
function readArguments(args: readonly GraphQLArgument[], given: Json): Json {
  const names = new Set(args.map(nameOf));
  const unknown = Object.keys(given).filter((name) => !names.has(name));
  const issues: InputIssue[] = unknown.map((path) => ({ path, code: "unknown_field", message: "Is not recognized" }));
  const variables: Json = {};
  for (const argument of args) {
    const path = nameOf(argument);
    const value = given[path] ?? (path === "limit" ? MAX_ROWS : undefined);
    if (value !== undefined) {
      issues.push(...checkArgument(path, value, argument.type));
      variables[argument.name] = value;
    } else if (isRequired(argument)) issues.push({ path, code: "required", message: "Is required" });
  }
  if (issues.length > 0) throw invalidInput(issues);
  return variables;
}

function checkArgument(path: string, value: unknown, type: GraphQLInputType): InputIssue[] {
  const issues = typeof value === "string" ? checkText(path, value, { max: MAX_ARGUMENT }) : [];
  if (path === "limit" && Number(value) > MAX_ROWS) {
    issues.push({ path, code: "too_big", message: `Must be at most ${MAX_ROWS}` });
  }
  coerceInputValue(value, type, (at, _value, { message }) => {
    issues.push({ path: [path, ...at].join("."), code: "invalid_value", message });
  });
  return issues;
}
