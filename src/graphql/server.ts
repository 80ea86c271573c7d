import { ApolloServer } from "@apollo/server";
import { unwrapResolverError } from "@apollo/server/errors";
import { ApolloServerPluginLandingPageDisabled } from "@apollo/server/plugin/disabled";
import { koaMiddleware } from "@as-integrations/koa";
import type { GraphQLFormattedError, GraphQLSchema } from "graphql";
import createError from "http-errors";
import type { Context, Middleware } from "koa";
import { createContext, type CoreContext, type CoreServices, type SessionHandle } from "../core/context.ts";
import { findSessionActor } from "../core/staff/sessions.ts";
import { AppError, isDatabaseUnavailable } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import { readBodyText } from "../platform/request-body.ts";

const PATH = "/graphql";
const MAX_BODY_BYTES = 256 * 1024;
const MAX_TOKENS = 1_000;

export interface GraphqlOptions {
  schema: GraphQLSchema;
  core: CoreServices;
  logger: Logger;
  introspection: boolean;
  /** Whether browsers reach us over https: cookies are then marked so. */
  secureCookies: boolean;
}

/** The Koa middleware of the face for internal tools, and how to stop it. */
export async function createGraphqlFace(
  options: GraphqlOptions,
): Promise<{ middleware: Middleware; stop: () => Promise<void> }> {
  const { core, schema, introspection, logger } = options;
  const server = new ApolloServer<CoreContext>({
    schema,
    introspection,
    parseOptions: { maxTokens: MAX_TOKENS },
    persistedQueries: false,
    stopOnTerminationSignals: false,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: !introspection,
    formatError: (formatted, error) => formatError(formatted, error, logger),
    logger,
    plugins: [ApolloServerPluginLandingPageDisabled()],
  });
  await server.start();
  const answer = koaMiddleware(server, {
    context: async ({ ctx }) => {
      const session = sessionCookie(ctx as unknown as Context, options.secureCookies);
      const actor = session.token === undefined ? undefined : await findSessionActor(core.orm.em, session.token);
      return createContext(core, actor, { session });
    },
  });
  const middleware: Middleware = async (ctx, next) => {
    if (ctx.path !== PATH) return next();
    if (ctx.method === "POST") (ctx.request as { body?: unknown }).body = await readJson(ctx);
    // The integration goes on to what comes after it, which would answer that there is no such route.
    await answer(ctx as never, () => Promise.resolve());
  };
  return { middleware, stop: () => server.stop() };
}

async function readJson(ctx: Context): Promise<unknown> {
  const text = await readBodyText(ctx, MAX_BODY_BYTES);
  // Apollo's own check of the content type is what protects against forged requests.
  if (!ctx.is("application/json")) return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw createError(400, "Request body must be valid JSON");
  }
  // The integration takes a falsy body for a mistake of ours and answers 500.
  return body || {};
}

function sessionCookie(ctx: Context, secure: boolean): SessionHandle {
  const name = secure ? "__Host-session" : "session";
  // Behind a proxy the connection itself is plain.
  ctx.cookies.secure = secure;
  const attributes = { httpOnly: true, secure, sameSite: "lax", path: "/", overwrite: true } as const;
  return {
    token: ctx.cookies.get(name),
    store: (token, expires) => ctx.cookies.set(name, token, { ...attributes, expires }),
    clear: () => ctx.cookies.set(name, null, attributes),
  };
}

function formatError(formatted: GraphQLFormattedError, thrown: unknown, logger: Logger): GraphQLFormattedError {
  const error = unwrapResolverError(thrown);
  if (error instanceof AppError) {
    const { code, hint, issues } = error;
    return { ...formatted, message: error.message, extensions: { code, hint, issues } };
  }
  // Apollo's own refusals, such as a document that does not validate, say what the client did wrong.
  if (formatted.extensions?.code !== "INTERNAL_SERVER_ERROR") return formatted;
  logger.error({ err: error }, "GraphQL request failed");
  const unavailable = isDatabaseUnavailable(error);
  return {
    ...formatted,
    message: unavailable ? "Service unavailable" : "Internal server error",
    extensions: { code: unavailable ? "UNAVAILABLE" : "INTERNAL_SERVER_ERROR" },
  };
}
