import { ApolloServer } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from "@apollo/server/plugin/disabled";
import { koaMiddleware } from "@as-integrations/koa";
import type { GraphQLSchema } from "graphql";
import type { Context, Middleware } from "koa";
import type { CoreServices } from "../core/context.ts";
import type { LastUsedWriter } from "../core/credentials/last-used-writer.sql.ts";
import { UnknownCredentials } from "../core/credentials/unknown-credentials.ts";
import { addRequestFacts } from "../platform/telemetry/request-facts.ts";
import type { Logger } from "../platform/telemetry/logger.ts";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import { traced } from "../platform/telemetry/tracing.ts";
import { countingResolver, countLists, limitAnswers } from "./limits/answer-size.ts";
import type { TenantCache } from "../platform/overload/tenants.ts";
import { answerLegacyClients, answerUnavailable, correctStatus, refuseForeignOrigin } from "./answer.ts";
import { answerExplorer, wantsExplorer } from "./explorer.ts";
import { isCrossSite } from "./request/cross-site.ts";
import { formatError } from "./format-error.ts";
import { limitOperations, MAX_TOKENS } from "./limits/operation-limits.ts";
import { addOperationFacts } from "./telemetry/operation-facts.ts";
import { measureOperations } from "./telemetry/measure-operations.ts";
import { refuseUnknownOperations } from "./known-operations.ts";
import { reportReplays } from "./report-replays.ts";
import { createRequestContext, type GraphqlContext } from "./request/request-context.ts";
import { takeJsonBody } from "./request/json-body.ts";

/** The path of the GraphQL API. */
export const PATH = "/graphql";

/** Mistakes reported per document. Each has two stack traces and costs as much as parsing a small document. */
const MAX_DOCUMENT_MISTAKES = 5;

/** Headers that links, images and forms of other sites cannot send with a GET: only scripts can. */
const SCRIPTED_HEADERS = ["authorization", "apollo-require-preflight", "x-apollo-operation-name"];

export interface GraphqlOptions {
  schema: GraphQLSchema;
  core: CoreServices;
  uses: LastUsedWriter;
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
  const unknownCredentials = new UnknownCredentials();
  const answer = koaMiddleware(server, {
    context: ({ ctx }) => createRequestContext({ ...options, unknownCredentials }, ctx as unknown as Context),
  });
  const middleware: Middleware = async (ctx, next) => {
    if (ctx.path !== PATH) return next();
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
