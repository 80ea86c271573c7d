import { getOperationAST, type DocumentNode, type GraphQLSchema } from "graphql";
import { compileDocument } from "./schema/compile-document.ts";
import { createContext, type CoreServices } from "./context.ts";
import { unauthenticated } from "./errors.ts";
import { inspectApiKeySecret } from "./credentials/secret.ts";
import type { Admission } from "./access/admission.ts";
import { isSlowToFind } from "./queries/pagination.ts";
import type { Currency } from "../platform/money.ts";
import type { ApiKeyCache } from "./credentials/api-keys/api-key-cache.ts";
import { noteFacts } from "../platform/fairness/visit.ts";
import { factsOf, requirePermission, type Actor, type Permission } from "./access/permissions.ts";
import { traced } from "../platform/telemetry/tracing.ts";

export interface GatewayServices {
  core: CoreServices;
  keys: ApiKeyCache;
  schema: GraphQLSchema;
  admission: Admission;
}

/** A request, as far as it matters for whether it is let in. */
export interface AccessRequest {
  /** The shop in its path. */
  shopId: string;
  permission: Permission;
  /** IP address of the caller; undefined when the connection is already gone. */
  address: string | undefined;
}

/** A caller who may do what was asked for in its shop. */
export interface Access {
  actor: Actor;
  /** The shop's. */
  currency: Currency;
}

interface Answer<Data> {
  data: Data;
  /** True when it is that of an earlier request with the same idempotency key. */
  isReplay: boolean;
}

/** The weight of a list that may be slow to find: one after the other for each shop. */
const SLOW = 3;

/** The two ways into the core for an API that runs fixed documents for the holders of API keys. */
export class Gateway {
  readonly #services: GatewayServices;

  constructor(services: GatewayServices) {
    this.#services = services;
  }

  /**
   * Finds the holder of an API key and checks that it may do something in a shop. Undefined when the shop is not the
   * key's.
   *
   * @throws AppError UNAUTHENTICATED, PLAN_FORBIDS, FORBIDDEN, or UNAVAILABLE when there are too many requests or
   *   the shop is closed
   */
  async authenticate(
    secret: string | undefined,
    { shopId, permission, address }: AccessRequest,
  ): Promise<Access | undefined> {
    const { keys, admission } = this.#services;
    const state = secret === undefined ? "unrecognized" : inspectApiKeySecret(secret);
    if (state === "mistyped") throw unauthenticated("The API key looks mistyped or cut short.");
    if (state === "unrecognized") throw unauthenticated();
    const arrival = { address, credential: secret };
    const actor = await keys.findActor(secret!, () => admission.receive(arrival));
    if (!actor) {
      admission.reject(arrival);
      throw unauthenticated();
    }
    noteFacts(factsOf(actor));
    // A key has one shop.
    admission.admit(arrival, [...actor.memberships.keys()][0]!);
    const membership = actor.memberships.get(shopId);
    if (!membership) return undefined;
    requirePermission(actor, shopId, permission);
    return { actor, currency: membership.shop };
  }

  /** Tells how many bytes the answer to the request under way has: a large one counts for several until it is sent. */
  weigh(bytes: number): void {
    this.#services.admission.weigh(bytes);
  }

  /**
   * Makes a document into a function that runs it for a caller. It throws what a resolver threw.
   *
   * @throws Error when the document does not fit the schema
   */
  prepare<Data, Variables>(document: DocumentNode): (variables: Variables, access: Access) => Promise<Answer<Data>> {
    const { core, schema, admission } = this.#services;
    const run = compileDocument(schema, document);
    const { operation, name } = getOperationAST(document)!;
    const span = { name: `${operation} ${name?.value}`, attributes: { "graphql.operation.type": operation } };
    return async (variables, { actor }) => {
      await admission.begin(isSlowToFind(variables as Record<string, unknown>) ? SLOW : 1);
      const context = createContext(core, actor);
      const data = await traced(
        () => span,
        () => run(variables as Record<string, unknown>, context),
      );
      return { data: data as Data, isReplay: context.replays.length > 0 };
    };
  }
}
