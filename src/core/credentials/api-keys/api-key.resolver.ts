import type { GraphQLResolveInfo } from "graphql";
import {
  Arg,
  Args,
  Authorized,
  Ctx,
  FieldResolver,
  Info,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Resolver,
  Root,
  type ClassType,
} from "type-graphql";
import { Id } from "../../mutations/operation-arguments.ts";
import { ShopOperation, type AnsweredOperation } from "../../access/operation.ts";
import type { CoreContext } from "../../context.ts";
import { field, inputOf, nullable, objectOf } from "../../model/fields.ts";
import type { Page } from "../../model/page.ts";
import { Permission } from "../../model/permissions.ts";
import { ReadsShop, selectionOf, type ShopReader } from "../../queries/selection.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import { Shop } from "../../model/shops/shop.entity.ts";
import { apiKeys } from "../credential-kind.ts";
import { credentialMutations, newCredential } from "../credential-mutations.ts";
import { findCredential, listCredentials, ListCredentialsArgs, type ShownCredential } from "../list-credentials.ts";
import { requireSandbox } from "../../shops/sandbox-rules.ts";
import { ApiKey, ApiKeyPage, ApiScope, SimulatedFailure } from "../../model/credentials/api-key.entity.ts";
import { createApiKey, rotateApiKey, setAllowedAddresses, simulateFailures, type IssuedApiKey } from "./api-keys.ts";
import { answerOf } from "../../queries/find-by-id.ts";
import { loaderOf } from "../../queries/loader-of.ts";
import { AllowedAddressesRehearsal, ApiKeyUsage, loadKeyUsage, rehearseAllowedAddresses } from "./key-usage.sql.ts";
import { MAX_ALLOWED_ADDRESSES } from "../../model/network.ts";

const findApiKey = findCredential(apiKeys);
const answerApiKey = answerOf("API key", findApiKey);

/** Shows a new key with its secret. */
async function answerIssued(operation: AnsweredOperation, { apiKey, secret }: IssuedApiKey): Promise<CreatedApiKey> {
  const selected = { ...operation, selection: operation.selection.at("apiKey") };
  return { apiKey: await answerApiKey(selected, apiKey.id), secret };
}

/** The cost of a field that reads the log of requests, up to 100,000 rows. */
const LOG_COST = 50;

const ALLOWED = `IP addresses and networks, such as 203.0.113.0/24, at most ${MAX_ALLOWED_ADDRESSES}. An empty list allows any address.`;
const AllowedAddresses = () => Arg("allowedAddresses", () => [String], { description: ALLOWED });

@InputType({ description: "A new API key." })
class CreateApiKeyInput extends inputOf({
  ...newCredential,
  scopes: field([ApiScope], "The scopes, at least one. The shop's plan must include them."),
  allowedAddresses: field([String], ALLOWED, { defaultValue: [] }),
}) {}

@InputType({ description: "Options for the rotation of an API key." })
class RotateApiKeyInput extends inputOf({
  overlapHours: field(
    Int,
    "The number of hours that the old key stays valid, 0 to 168, unless it expires earlier. With 0, it expires immediately.",
    { defaultValue: 24 },
  ),
  expiresAt: nullable(TimestampScalar, "When the new key expires, in the future. Null if it does not expire."),
}) {}

@ObjectType({ description: "A new API key with its secret.", simpleResolvers: true })
class CreatedApiKey extends objectOf({
  apiKey: field<ClassType<ShownCredential<ApiKey>>>(ApiKey, "The new key."),
  secret: field(String, "The secret, shown only once. Use it on servers, never in browsers."),
}) {}

@Resolver(() => Shop)
export class ShopApiKeysResolver {
  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => ApiKeyPage, {
    description: "API keys, including expired and revoked ones. Active keys come first, then the newest.",
  })
  apiKeys(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => ListCredentialsArgs) filter: ListCredentialsArgs,
  ): Promise<Page<ShownCredential<ApiKey>>> {
    return context.limit(listCredentials, context.orm.em, apiKeys, shop.id, filter, selectionOf(info));
  }

  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => ApiKey, {
    nullable: true,
    description: "The API key with this ID, also if expired or revoked. Null if it does not exist.",
  })
  apiKey(@ReadsShop() read: ShopReader, @Id("API key") id: string): Promise<ShownCredential<ApiKey> | undefined> {
    return read(findApiKey, id);
  }
}

@Resolver(() => ApiKey)
export class ApiKeyResolver {
  @FieldResolver(() => ApiKeyUsage, { description: "How the log of requests shows the key.", complexity: LOG_COST })
  usage(@Root() { shopId, id }: ApiKey, @Ctx() context: CoreContext): Promise<ApiKeyUsage> {
    return loaderOf(context, loadKeyUsage).load({ shopId, id });
  }

  @FieldResolver(() => AllowedAddressesRehearsal, {
    description: "How many logged requests of the key a list of allowed addresses would have refused.",
    complexity: LOG_COST,
  })
  rehearseAllowedAddresses(
    @Root() { shopId, id }: ApiKey,
    @Ctx() { limit, database }: CoreContext,
    @AllowedAddresses() allowedAddresses: string[],
  ): Promise<AllowedAddressesRehearsal> {
    return limit(rehearseAllowedAddresses, database, { shopId, id }, allowedAddresses);
  }
}

@Authorized(Permission.SETTINGS)
@Resolver()
export class ApiKeyMutations extends credentialMutations(apiKeys, "API key", {
  input: "Changes to an API key.",
  update: "Renames an API key. Its scopes and its secret do not change.",
  revoke: "Revokes an API key, within a second. Does nothing if it is already revoked.",
}) {
  @Mutation(() => CreatedApiKey, {
    description:
      "Creates an API key. The plan allows 2 or 10 active keys. A rotated key does not count while its successor is active.",
  })
  async createApiKey(
    @ShopOperation() operation: AnsweredOperation,
    @Arg("input", () => CreateApiKeyInput, { description: "What to create." }) input: CreateApiKeyInput,
  ): Promise<CreatedApiKey> {
    return answerIssued(operation, await createApiKey(operation, { ...input }));
  }

  @Mutation(() => ApiKey, {
    description: "Sets the addresses from which an API key may be used, within a second. Rehearse them first.",
  })
  async setAllowedAddresses(
    @ShopOperation() operation: AnsweredOperation,
    @Id("API key") id: string,
    @AllowedAddresses() allowedAddresses: string[],
  ): Promise<ShownCredential<ApiKey>> {
    await setAllowedAddresses(operation, id, { allowedAddresses });
    return answerApiKey(operation, id);
  }

  @Mutation(() => ApiKey, {
    description:
      "Lets the next requests of an API key fail, within a second, and instead of those set before. Only in a sandbox.",
  })
  async simulateFailures(
    @ShopOperation(requireSandbox) operation: AnsweredOperation,
    @Id("API key", "keyId") keyId: string,
    @Arg("count", () => Int, { description: "The number of requests, 0 to 1000." }) count: number,
    @Arg("kind", () => SimulatedFailure, { description: "How they fail." }) kind: SimulatedFailure,
  ): Promise<ShownCredential<ApiKey>> {
    await simulateFailures(operation, keyId, { count, kind });
    return answerApiKey(operation, keyId);
  }

  @Mutation(() => CreatedApiKey, {
    description:
      "Replaces an API key with a new one of the same name. The new key has the scopes of the old one that the plan includes. Works at the plan's limit, too.",
  })
  async rotateApiKey(
    @ShopOperation() operation: AnsweredOperation,
    @Id("API key") id: string,
    @Arg("input", () => RotateApiKeyInput, { description: "Options for the rotation." }) input: RotateApiKeyInput,
  ): Promise<CreatedApiKey> {
    return answerIssued(operation, await rotateApiKey(operation, id, { ...input }));
  }
}
