import {
  getNullableType,
  GraphQLBoolean,
  GraphQLInt,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredArgument,
  parse,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from "graphql";
import pLimit from "p-limit";
import { z } from "zod";
import type { Gateway } from "../core/gateway.ts";
import { AppError, invalidInput } from "../core/model/errors.ts";
import { text } from "../core/model/text.ts";
import { COSTLY } from "../platform/overload/permits.ts";
import { parseAs } from "../rest/read-input.ts";
import { documents, type ToolDocument } from "./documents.ts";
import { annotate, cutTexts, describeSchema, keySchema, readPage, rows, type Json, type Tool } from "./tool.ts";

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
  const input = schemaOf(pages ? args.filter((arg) => arg.name === "apiKeyId" || arg.name === "path") : args);
  const run = gateway.prepare<Json, Json>(parse(textOf(name, document, args, { isList, isWrite: !!mutation })));
  return {
    kind: "service",
    permission,
    definition: {
      name,
      description: document.description ?? firstSentence(description)!,
      inputSchema: describeSchema(input),
      // Writes here reach the receivers of webhooks.
      annotations: annotate(!mutation, !!mutation),
    },
    run: async ({ caller, shopId, arguments: given, ticket }) => {
      const access = gateway.authorize(caller, shopId, permission)!;
      const { cursor: after, ...others } = parseAs("query", input, given);
      // Three lists at once would delay other shops by their work on the one thread.
      if (isList) await ticket.takePermits(COSTLY);
      const read = async (more: Json): Promise<Json> => {
        const variables = { shopId, after, ...others, ...more };
        const { data, isReplay } = await run(variables, access, pLimit(ticket.permits)).catch(nameArgument);
        const value = (mutation ? data : (data.shop as Json))[field] as Json | null;
        if (value === null) throw new AppError("NOT_FOUND", "Record not found");
        return isList ? value : { [field]: value, ...(mutation && { replayed: isReplay }) };
      };
      if (!pages)
        return isList ? readPage((limit) => read(limit === undefined ? {} : { limit })) : cutTexts(await read({}));
      const answers: Json[] = [];
      for (const more of pages.variables) answers.push(await read(more));
      return cutTexts(pages.summarize(answers));
    },
  };
}

/** Names the tool's argument in an error of the field's. */
function nameArgument(error: unknown): never {
  if (!(error instanceof AppError) || !error.issues) throw error;
  const issues = error.issues.map((issue) => (issue.path === "after" ? { ...issue, path: "cursor" } : issue));
  throw invalidInput(issues, error.hint);
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

function schemaOf(args: readonly GraphQLArgument[]): z.ZodObject {
  return z.strictObject(Object.fromEntries(args.map((argument) => [nameOf(argument), describeArgument(argument)])));
}

const shared: Record<string, z.ZodType> = {
  limit: rows.limit,
  after: rows.cursor,
  ...keySchema.shape,
};

function describeArgument(argument: GraphQLArgument): z.ZodType {
  const described = typeOf(argument.type).meta({ description: firstSentence(argument.description) });
  return shared[argument.name] ?? (isRequiredArgument(argument) ? described : described.optional());
}

/** Leaves out the rules of long descriptions, which errors name. */
const firstSentence = (description: string | null | undefined) => /^.*?\.(?=\s|$)/.exec(description ?? "")?.[0];

function typeOf(given: GraphQLInputType): z.ZodType {
  const type = getNullableType(given);
  if (isListType(type)) return z.array(typeOf(type.ofType)).min(1);
  if (isEnumType(type)) return z.enum(type.getValues().map(({ name }) => name));
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    return z.strictObject(Object.fromEntries(fields.map((field) => [field.name, describeArgument(field)])));
  }
  if (type === GraphQLInt) return z.int32();
  if (type === GraphQLBoolean) return z.boolean();
  if (type.name === "Timestamp") return z.iso.datetime({ offset: true }).refine(hasFourDigitYear, "Is out of range");
  return text({ max: MAX_ARGUMENT });
}

/** False if the offset leads out of the years that GraphQL has. */
function hasFourDigitYear(time: string): boolean {
  const year = new Date(time).getUTCFullYear();
  return year >= 0 && year <= 9_999;
}
