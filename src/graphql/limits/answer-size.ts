import type { ApolloServerPlugin } from "@apollo/server";
import { defaultFieldResolver, GraphQLError, type GraphQLFieldResolver } from "graphql";
import type { CoreContext } from "../../core/context.ts";
import { inSlices } from "./in-slices.ts";

/** A fifth to a half of what there could be for the highest cost, if all its texts were as long as they may be. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** The limit without a session or token: a socket takes in as much, so that an answer that nobody reads keeps no place. */
const MAX_STRANGERS_BYTES = 1024 * 1024;

const CODE = "TOO_LARGE";

/** The bytes of each answer that is being made, about. */
const sizes = new WeakMap<CoreContext, number>();

/** Resolves fields as graphql-js does, but long lists in slices, and counts what they add to the answer. */
export const countingResolver: GraphQLFieldResolver<unknown, CoreContext> = (source, args, context, info) => {
  const value: unknown = defaultFieldResolver(source, args, context, info);
  sizes.set(context, (sizes.get(context) ?? 0) + String(info.path.key).length + sizeOf(value));
  return Array.isArray(value) ? inSlices(value, () => checkSize(context)) : value;
};

function isTooLarge(context: CoreContext): boolean {
  return (sizes.get(context) ?? 0) > MAX_ANSWER_BYTES;
}

/** @throws GraphQLError when the answer is too large by now, so that no more of it is read and made */
function checkSize(context: CoreContext): void {
  if (isTooLarge(context)) throw new GraphQLError("The answer is too large", { extensions: { code: CODE } });
}

/** The bytes of a value, about; objects are counted by their fields. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  return Array.isArray(value) ? value.reduce((sum: number, element) => sum + sizeOf(element), 0) : 8;
}

/**
 * Refuses an answer that is too large before it is made into text, which would take several times the memory of the
 * rows that it was read from, for as long as the client takes to read it. What counted as it grew is a part of it: names
 * that the client chose and escapes of JSON count here too.
 */
export function limitAnswers(): ApolloServerPlugin<CoreContext> {
  return {
    requestDidStart: async ({ contextValue }) => ({
      willSendResponse: async ({ operation, response: { http, body } }) => {
        if (body.kind !== "single") return;
        const limit = contextValue.actor ? MAX_ANSWER_BYTES : MAX_STRANGERS_BYTES;
        if (!isTooLarge(contextValue) && bytesLeft(body.singleResult, limit) >= 0) return;
        const isMutation = operation?.operation === "mutation";
        const message = `The answer would have more than ${limit} bytes: ask for less at once`;
        const hint = isMutation ? "What was asked for was done, but for what other errors tell." : undefined;
        const { errors = [], extensions } = body.singleResult;
        const others = errors.filter((error) => error.extensions?.code !== CODE);
        const told = bytesLeft(others, limit) >= 0 ? others : [];
        body.singleResult = { errors: [...told, { message, extensions: { code: CODE, hint } }], extensions };
        if (!isMutation) http.status = 400;
      },
    }),
  };
}

/** The bytes that a value leaves of a number of them once it is written as JSON; below zero when it does not fit. */
function bytesLeft(value: unknown, bytes: number): number {
  if (typeof value === "string") return bytes - Buffer.byteLength(JSON.stringify(value));
  if (typeof value !== "object" || value === null) return bytes - String(value).length;
  const isList = Array.isArray(value);
  let left = bytes - 2;
  for (const [key, child] of Object.entries(value)) {
    left = bytesLeft(child, left - 1 - (isList ? 0 : key.length + 3));
    if (left < 0) break;
  }
  return left;
}
