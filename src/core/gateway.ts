import { getOperationAST, type DocumentNode, type GraphQLSchema, validate } from "graphql";
import { nameSelections } from "./queries/selection.ts";
import { createContext, type CoreContext } from "./context.ts";
import { unauthenticated } from "./model/errors.ts";
import { authenticateService, type ServiceTokenServices } from "./credentials/service-tokens/service-tokens.ts";
import { inspectApiKeySecret, inspectSecret } from "./credentials/secret.ts";
import type { Currency } from "../platform/money.ts";
import type { ApiKeyCache } from "./credentials/api-keys/api-key-cache.ts";
import { addRequestFacts } from "../platform/telemetry/request-facts.ts";
import { traced } from "../platform/telemetry/tracing.ts";
import { factsOf, requireAllowedAddress, requirePermission } from "./access/permissions.ts";
import type { Caller, Needed } from "./model/permissions.ts";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import type { LimitFunction } from "p-limit";

export interface GatewayServices extends ServiceTokenServices {
  keys: ApiKeyCache;
  schema: GraphQLSchema;
}

/** A caller with the permission that it asked for. */
export interface Access {
  caller: Caller;
  /** Of the shop. */
  currency: Currency;
}

interface Answer<Data> {
  data: Data;
  /** True if it is the replayed result of an earlier request with the same idempotency key. */
  isReplay: boolean;
}

/** The core for APIs that run fixed documents. */
export class Gateway {
  readonly #services: GatewayServices;

  constructor(services: GatewayServices) {
    this.#services = services;
  }

  /**
   * Finds the caller of an API key, used from an address.
   *
   * @throws AppError UNAUTHENTICATED; FORBIDDEN for the address; UNAVAILABLE for a simulated failure
   */
  async authenticate(secret: string | undefined, address: string | undefined): Promise<Caller> {
    const state = secret === undefined ? "unrecognized" : inspectApiKeySecret(secret);
    if (state === "mistyped") throw unauthenticated("The API key looks mistyped or cut short.");
    const caller = state === "valid" ? await this.#services.keys.findCaller(secret!) : undefined;
    if (!caller) throw unauthenticated();
    addRequestFacts({ ...factsOf(caller), address });
    requireAllowedAddress(caller, address);
    if (caller.hasFailures) await this.#services.keys.takeFailure(caller);
    return caller;
  }

  /** Finds the caller of an API key or a service token. @throws AppError as authenticate does */
  async authenticateAny(secret: string | undefined, address: string | undefined): Promise<Caller> {
    if (secret === undefined || inspectSecret("svt_", secret) === "unrecognized") {
      return this.authenticate(secret, address);
    }
    const caller = await authenticateService(this.#services, secret);
    addRequestFacts(factsOf(caller));
    return caller;
  }

  /**
   * Checks a caller's permission in a shop. Undefined when the caller does not belong to it.
   *
   * @throws AppError PLAN_FORBIDS, FORBIDDEN, or UNAVAILABLE when the shop is closed
   */
  authorize(caller: Caller, shopId: string, permission: Needed): Access | undefined {
    const membership = caller.memberships.get(shopId);
    if (!membership) return undefined;
    requirePermission(caller, shopId, permission);
    return { caller, currency: membership.shop };
  }

  /**
   * Compiles a document to a function that runs it for a caller within a limit of concurrent statements, and throws the
   * resolver's own error.
   *
   * @throws Error when the document does not fit the schema
   */
  prepare<Data, Variables>(
    document: DocumentNode,
  ): (variables: Variables, access: Access, limit: LimitFunction) => Promise<Answer<Data>> {
    const { core, schema } = this.#services;
    nameSelections(document);
    const run = compileDocument(schema, document);
    const { operation, name } = getOperationAST(document)!;
    const span = { name: `${operation} ${name?.value}`, attributes: { "graphql.operation.type": operation } };
    return async (variables, { caller }, limit) => {
      const context = createContext(core, caller, { limit });
      const data = await traced(
        () => span,
        () => run(variables as Record<string, unknown>, context),
      );
      return { data: data as Data, isReplay: context.replays.length > 0 };
    };
  }
}

/** Runs a fixed GraphQL document in process. Throws the resolver's own error. */
export type RunDocument = (
  variables: Record<string, unknown>,
  context: CoreContext,
) => Promise<Record<string, unknown>>;

/**
 * Compiles a fixed document to a function, once at start.
 *
 * @throws Error when the document does not fit the schema
 */
export function compileDocument(schema: GraphQLSchema, document: DocumentNode): RunDocument {
  const problems = validate(schema, document);
  if (problems.length > 0) throw new Error(`Invalid document: ${problems.map(({ message }) => message).join("; ")}`);
  // TypeScript has checked the types of values. Checking those of a list again takes 4 % of its CPU.
  const compiled = compileQuery(schema, document, undefined, { disableLeafSerialization: true });
  if (!isCompiledQuery(compiled)) throw new Error("The document does not compile", { cause: compiled.errors?.[0] });
  return async (variables, context) => {
    const { data, errors } = await compiled.query(undefined, context, variables);
    if (errors?.[0]) throw errors[0].originalError ?? errors[0];
    return data as Record<string, unknown>;
  };
}
