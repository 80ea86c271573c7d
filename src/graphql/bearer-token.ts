import type { IncomingMessage } from "node:http";
import { GraphQLError } from "graphql";
import type { CoreServices } from "../core/context.ts";
import { inspectApiKeySecret, inspectSecret } from "../core/credentials/api-key-secret.ts";
import { findServiceActor } from "../core/credentials/find-service-actor.ts";
import type { LastUses } from "../core/credentials/last-uses.ts";
import { projections } from "../core/database.ts";
import type { Actor } from "../core/permissions.ts";

/**
 * The service whose token the Authorization header carries; undefined without the header.
 *
 * @throws GraphQLError UNAUTHENTICATED, with status 401, when the header holds anything else
 */
export async function findBearerActor(
  { core, uses }: { core: CoreServices; uses: LastUses },
  request: IncomingMessage,
): Promise<Actor | undefined> {
  const values = request.headersDistinct.authorization;
  if (values === undefined) return undefined;
  const token = values.length === 1 ? /^Bearer +(\S+) *$/i.exec(values[0]!)?.[1] : undefined;
  if (token === undefined) throw unauthenticated("Send one Authorization header: Bearer and a service token.");
  if (inspectApiKeySecret(token) !== "foreign") {
    throw unauthenticated("API keys are for the REST API. Here, use a session or a service token.");
  }
  switch (inspectSecret("svt_", token)) {
    case "mistyped":
      throw unauthenticated("The service token looks mistyped or cut short.");
    case "foreign":
      throw unauthenticated();
    case "valid": {
      const found = await findServiceActor(projections(core.orm.em), token);
      if (!found) throw unauthenticated();
      uses.note("service_tokens", found.shopId, found.actor.id);
      return found.actor;
    }
  }
}

function unauthenticated(hint?: string): GraphQLError {
  const http = { status: 401, headers: new Map([["www-authenticate", "Bearer"]]) };
  return new GraphQLError("Unauthorized", { extensions: { code: "UNAUTHENTICATED", hint, http } });
}
