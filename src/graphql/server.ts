import { ApolloServer } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from "@apollo/server/plugin/disabled";
import { koaMiddleware } from "@as-integrations/koa";
import { GraphQLError, type GraphQLSchema, type ValidationRule } from "graphql";
import type { Context, Middleware } from "koa";
import createError, { HttpError } from "http-errors";
import type { ServiceTokenServices } from "../core/credentials/service-tokens/service-tokens.ts";
import { addRequestFacts } from "../platform/telemetry/request-facts.ts";
import { traced } from "../platform/telemetry/tracing.ts";
import type { Logger } from "../platform/telemetry/logger.ts";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import { countingResolver, countLists, limitAnswers } from "./limits/answer-size.ts";
import type { TenantCache } from "../platform/overload/tenants.ts";
import {
  answerLegacyClients,
  answerUnavailable,
  correctStatus,
  refuseForeignOrigin,
  refuseRequest,
  reportReplays,
  formatError,
} from "./answer.ts";
import { answerExplorer, wantsExplorer } from "./explorer.ts";
import { limitOperations, MAX_TOKENS } from "./limits/operation-limits.ts";
import { addOperationFacts, measureOperations } from "./telemetry.ts";
import { serveExports } from "./serve-exports.ts";
import { serveImportFiles } from "./serve-import-files.ts";
import { createRequestContext, type GraphqlContext } from "./request-context.ts";
import { AppError, invalidBody } from "../core/model/errors.ts";
import { bodyText } from "../platform/http/request-body.ts";

/** The path of the GraphQL API. */
export const PATH = "/graphql";

/** Mistakes reported per document. Each has two stack traces and costs as much as parsing a small document. */
const MAX_DOCUMENT_MISTAKES = 5;

/** Headers that links, images and forms of other sites cannot send with a GET: only scripts can. */
const SCRIPTED_HEADERS = ["authorization", "apollo-require-preflight", "x-apollo-operation-name"];

export interface GraphqlOptions extends ServiceTokenServices {
  schema: GraphQLSchema;
  tenants: TenantCache;
  logger: Logger;
  metrics: Metrics;
  /** The public address. Pages of other origins may not use a session. */
  baseUrl: string;
  /** Allows introspection, and serves the explorer to browsers. */
  introspection: boolean;
  /** True when browsers use https. Cookies are then `Secure`. */
  secureCookies: boolean;
}

/** Creates the Koa middleware of the GraphQL API, and the function that stops it. */
export async function createGraphqlServer(
  options: GraphqlOptions,
): Promise<{ middleware: Middleware; stop: () => Promise<void> }> {
  const { schema, baseUrl, introspection, logger } = options;
  countLists(schema);
  const server = new ApolloServer<GraphqlContext>({
    schema,
    fieldResolver: countingResolver,
    introspection,
    parseOptions: { maxTokens: MAX_TOKENS },
    csrfPrevention: { requestHeaders: SCRIPTED_HEADERS },
    persistedQueries: false,
    stopOnTerminationSignals: false,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: !introspection,
    formatError: (formatted, error) => formatError(formatted, error, logger),
    logger,
    validationRules: [refuseUnknownOperations],
    validationOptions: { maxErrors: MAX_DOCUMENT_MISTAKES, hideSuggestions: true },
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      // It inspects every field of every answer only to set Cache-Control, which is set below.
      ApolloServerPluginCacheControlDisabled(),
      limitOperations(schema),
      limitAnswers(),
      reportReplays(),
      answerLegacyClients(),
      answerUnavailable(),
      // After the plugins that change the answer and report its cost.
      addOperationFacts(),
      measureOperations(options.metrics),
    ],
  });
  await server.start();
  const contextOf = (ctx: Context) => createRequestContext(options, ctx);
  const answer = koaMiddleware(server, { context: ({ ctx }) => contextOf(ctx as unknown as Context) });
  const ownContextOf = async (ctx: Context) => {
    if (isCrossSite(ctx, baseUrl)) throw new AppError("FORBIDDEN", "Sessions are not available to other sites");
    return contextOf(ctx);
  };
  const answerExport = serveExports({ schema, logger, contextOf: ownContextOf });
  const answerImport = serveImportFiles(ownContextOf);
  const middleware: Middleware = async (ctx, next) => {
    if (ctx.path !== PATH) return answerExport(ctx, () => answerImport(ctx, next));
    addRequestFacts({ route: PATH });
    if (introspection && wantsExplorer(ctx)) return answerExplorer(ctx);
    if (isCrossSite(ctx, baseUrl)) return refuseForeignOrigin(ctx, baseUrl);
    if (!takeJsonBody(ctx)) return;
    // The integration calls `next`, which would answer that the route does not exist.
    ctx.set("Cache-Control", "no-store");
    await traced(
      () => ({ name: "GraphQL" }),
      () => answer(ctx as never, () => Promise.resolve()),
    );
    correctStatus(ctx);
  };
  return { middleware, stop: () => server.stop() };
}

/** Refuses subscriptions, which the schema lacks. graphql-js 17 has this rule; 16 does not. */
const refuseUnknownOperations: ValidationRule = (context) => ({
  OperationDefinition: (node) => {
    if (context.getSchema().getRootType(node.operation)) return;
    context.reportError(new GraphQLError(`The schema has no ${node.operation}s`, { nodes: node }));
  },
});

const sessionPattern = /(?:^|;\s*)(?:__Host-)?session=/;

/**
 * Returns true when a page of another site makes a browser use its session, or open one. Requiring JSON already makes
 * browsers send a preflight, which is refused; this does not rely on it. A request with a token comes from a program.
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Headers/Sec-Fetch-Site
 */
function isCrossSite(ctx: Context, baseUrl: string): boolean {
  if (ctx.get("Authorization") !== "" && !sessionPattern.test(ctx.get("Cookie"))) return false;
  if (ctx.get("Sec-Fetch-Site") === "cross-site") return true;
  const origin = ctx.get("Origin");
  return origin !== "" && origin !== baseUrl;
}

/** Puts the body of a POST where the integration expects it. Returns false when it refused the request. */
function takeJsonBody(ctx: Context): boolean {
  try {
    if (ctx.method === "POST") (ctx.request as { body?: unknown }).body = parseJson(ctx, bodyText(ctx, invalidBody));
    return true;
  } catch (error) {
    if (error instanceof AppError) {
      refuseRequest(ctx, 400, error);
    } else if (error instanceof HttpError) {
      refuseRequest(ctx, error.status, { code: "BAD_REQUEST", message: error.message });
    } else throw error;
    return false;
  }
}

function parseJson(ctx: Context, text: string): unknown {
  // Apollo checks the content type, which protects against forged requests.
  if (!ctx.is("application/json")) return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw createError(400, "Request body must be valid JSON");
  }
  // The integration answers 500 for a falsy body.
  return body || {};
}
