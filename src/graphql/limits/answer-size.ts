import type { ApolloServerPlugin } from "@apollo/server";
import {
  defaultFieldResolver,
  getNamedType,
  getNullableType,
  GraphQLError,
  isCompositeType,
  isIntrospectionType,
  isListType,
  isObjectType,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from "graphql";
import type { CoreContext } from "../../core/context.ts";
import { ownTurns } from "../../platform/overload/own-turns.ts";

/**
 * The maximum size of an answer: a fifth to a half of the largest possible at the highest cost, with all texts at their
 * maximum length.
 */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** The limit without a session or token. A socket buffers this much, so an unread answer does not block others. */
const MAX_ANONYMOUS_BYTES = 1024 * 1024;

/** Objects in lists: a page of 250 products with a hundred variants each, and some more. */
export const MAX_ANSWER_OBJECTS = 30_000;

const CODE = "TOO_LARGE";

/** The approximate size of an answer so far. */
interface Size {
  bytes: number;
  objects: number;
}

const sizes = new WeakMap<CoreContext, Size>();

/** Resolves fields like graphql-js, but counts their size and completes long lists in slices. */
export const countingResolver: GraphQLFieldResolver<unknown, CoreContext> = (source, args, context, info) => {
  const value: unknown = defaultFieldResolver(source, args, context, info);
  sizes.get(context)!.bytes += String(info.path.key).length + bytesOf(value);
  return Array.isArray(value) ? inSlices(countObjects(context, value), () => checkSize(context)) : value;
};

/**
 * Counts the objects of lists that have their own resolver too, because their cost was an estimate. Other APIs may run
 * documents on the schema; their answers are not counted.
 */
export function countLists(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    // Introspection types belong to graphql-js and are shared by all schemas.
    if (isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (!resolve || !isListType(getNullableType(field.type)) || !isCompositeType(getNamedType(field.type))) continue;
      field.resolve = (source, args, context: CoreContext, info) => {
        const list: unknown = resolve(source, args, context, info);
        if (!sizes.has(context)) return list;
        return Promise.resolve(list).then((objects) => countObjects(context, objects as unknown[]));
      };
    }
  }
}

/** Counts the objects in a list of one type. @throws GraphQLError */
function countObjects(context: CoreContext, list: unknown[]): unknown[] {
  if (typeof list?.[0] === "object") sizes.get(context)!.objects += list.length;
  checkSize(context);
  return list;
}

/** The limit that an answer exceeds. Undefined when it exceeds none. */
function excessOf(context: CoreContext): string | undefined {
  const { bytes, objects } = sizes.get(context)!;
  if (objects > MAX_ANSWER_OBJECTS) return `${MAX_ANSWER_OBJECTS} objects`;
  return bytes > MAX_ANSWER_BYTES ? `${MAX_ANSWER_BYTES} bytes` : undefined;
}

/** @throws GraphQLError when the answer is already too large, so that the rest is not read */
function checkSize(context: CoreContext): void {
  if (excessOf(context)) throw new GraphQLError("The response is too large", { extensions: { code: CODE } });
}

/** The approximate bytes of a value. Objects are counted by their fields. */
function bytesOf(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  return Array.isArray(value) ? value.reduce((sum: number, element) => sum + bytesOf(element), 0) : 8;
}

/**
 * Refuses a large answer before it is serialized, which would take several times the memory of its rows until the
 * client has read it. Names chosen by the client and JSON escapes, not counted before, count here.
 */
export function limitAnswers(): ApolloServerPlugin<CoreContext> {
  return {
    requestDidStart: async ({ contextValue }) => {
      sizes.set(contextValue, { bytes: 0, objects: 0 });
      return {
        willSendResponse: async ({ operation, response: { http, body } }) => {
          if (body.kind !== "single") return;
          const limit = contextValue.caller ? MAX_ANSWER_BYTES : MAX_ANONYMOUS_BYTES;
          const excess = excessOf(contextValue);
          if (!excess && bytesLeft(body.singleResult, limit) >= 0) return;
          const isMutation = operation?.operation === "mutation";
          const message = `The response would have more than ${excess ?? `${limit} bytes`}: request less at once`;
          const hint = isMutation
            ? "The operation was carried out, except for the fields with other errors."
            : undefined;
          const { errors = [], extensions } = body.singleResult;
          const others = errors.filter((error) => error.extensions?.code !== CODE);
          const shown = bytesLeft(others, limit) >= 0 ? others : [];
          body.singleResult = { errors: [...shown, { message, extensions: { code: CODE, hint } }], extensions };
          if (!isMutation) http.status = 400;
        },
      };
    },
  };
}

/** The bytes left of a budget after a value is written as JSON. Negative when it does not fit. */
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

/** A default page fits in one slice, so its related records load together. */
const SLICE = 50;

/** One operation may have thirty lists. */
const ownTurn = ownTurns();

/**
 * Makes graphql-js complete a list of records in slices, one per turn of the event loop. Completing all at once would
 * delay every other request. Lists of scalars stay as they are.
 *
 * @param check throws when no more records should be completed
 */
export function inSlices(list: unknown[], check: () => void): unknown[] {
  if (list.length <= SLICE || typeof list[0] !== "object") return list;
  let turn = Promise.resolve();
  return list.map((record, index) => {
    if (index % SLICE === 0) turn = turn.then(ownTurn);
    return turn.then(() => {
      check();
      return record;
    });
  });
}
