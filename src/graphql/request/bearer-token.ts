import type { IncomingMessage } from "node:http";
import type { CoreServices } from "../../core/context.ts";
import { inspectApiKeySecret, inspectSecret } from "../../core/credentials/secret.ts";
import { findServiceCaller } from "../../core/credentials/service-tokens/find-service-caller.ts";
import type { LastUsedWriter } from "../../core/credentials/last-used-writer.sql.ts";
import type { UnknownCredentials } from "../../core/credentials/unknown-credentials.ts";
import { bearerOf } from "../../platform/http/bearer.ts";
import { kysely } from "../../core/queries/database.ts";
import type { Caller } from "../../core/model/permissions.ts";
import { unauthenticated } from "../../core/model/errors.ts";

/**
 * Finds the service of the bearer token. Undefined without an Authorization header.
 *
 * @throws AppError UNAUTHENTICATED when the header holds anything else
 */
export async function findBearerCaller(
  {
    core,
    uses,
    unknownCredentials,
  }: { core: CoreServices; uses: LastUsedWriter; unknownCredentials: UnknownCredentials },
  request: IncomingMessage,
): Promise<Caller | undefined> {
  const values = request.headersDistinct.authorization;
  if (values === undefined) return undefined;
  const token = values.length === 1 ? bearerOf(values[0]!) : undefined;
  if (token === undefined) throw unauthenticated("Send one Authorization header, with Bearer and a service token.");
  if (inspectApiKeySecret(token) !== "unrecognized") {
    throw unauthenticated("API keys work only with the REST API. Use a session or a service token.");
  }
  switch (inspectSecret("svt_", token)) {
    case "mistyped":
      throw unauthenticated("The service token looks mistyped or cut short.");
    case "unrecognized":
      throw unauthenticated();
    case "valid": {
      const found = await unknownCredentials.find(token, (shown) => findServiceCaller(kysely(core.orm.em), shown));
      if (!found) throw unauthenticated();
      uses.record("service_tokens", found.shopId, found.caller.id);
      return found.caller;
    }
  }
}
