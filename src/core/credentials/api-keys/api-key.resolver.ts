import type { GraphQLResolveInfo } from "graphql";
import {
  Arg,
  Args,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from "type-graphql";
import { ShopId } from "../../schema/operation-arguments.ts";
import { operationOf } from "../../access/operation.ts";
import type { CoreContext } from "../../context.ts";
import type { Page } from "../../model/page.ts";
import { Permission, type Scope } from "../../model/permissions.ts";
import { selectionOf } from "../../queries/selection.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import { Shop } from "../../model/shops/shop.entity.ts";
import { apiKeys } from "../credential-kind.ts";
import { listCredentials, ListCredentialsArgs, type ShownCredential } from "../list-credentials.ts";
import { renameCredential } from "../rename-credential.ts";
import { revokeCredential } from "../revoke-credential.ts";
import { ApiKey, ApiKeyPage, ApiScope } from "../../model/credentials/api-key.entity.ts";
import { createApiKey } from "./create-api-key.ts";
import { rotateApiKey } from "./rotate-api-key.ts";
import { loaderOf } from "../../queries/loader-of.ts";
import { loadPredecessors } from "./load-api-keys.ts";

@InputType({ description: "A new API key." })
class CreateApiKeyInput {
  @Field(() => String, { description: "1 to 255 characters after trimming." })
  name!: string;

  @Field(() => [ApiScope], { description: "At least one. Scopes that the plan does not include are refused." })
  scopes!: Scope[];

  @Field(() => TimestampScalar, { nullable: true, description: "In the future; null for never." })
  expiresAt?: Date | null;
}

@InputType({ description: "What changes of an API key." })
class UpdateApiKeyInput {
  @Field(() => String, { description: "1 to 255 characters after trimming." })
  name!: string;
}

@InputType({ description: "The terms on which a new API key replaces an old one." })
class RotateApiKeyInput {
  @Field(() => Int, {
    defaultValue: 24,
    description: "The hours for which the old key stays valid, unless it expires earlier: 0 to 168. 0 ends it at once.",
  })
  overlapHours!: number;

  @Field(() => TimestampScalar, {
    nullable: true,
    description: "When the new key expires: in the future; null for never.",
  })
  expiresAt?: Date | null;
}

@ObjectType({ description: "A new API key with its secret.", simpleResolvers: true })
class CreatedApiKey {
  @Field(() => ApiKey, { description: "The new key." })
  apiKey!: ApiKey;

  @Field(() => String, { description: "Shown here once and never again. For servers alone, never for browsers." })
  secret!: string;
}

@Resolver(() => Shop)
export class ShopApiKeysResolver {
  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => ApiKeyPage, { description: "Newest first, those that ended included." })
  apiKeys(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => ListCredentialsArgs) filter: ListCredentialsArgs,
  ): Promise<Page<ShownCredential<ApiKey>>> {
    return context.limit(listCredentials, context.orm.em, apiKeys, shop.id, filter, selectionOf(info));
  }
}

@Resolver(() => ApiKey)
export class ApiKeyResolver {
  @FieldResolver(() => ID, { nullable: true, description: "The key in whose place rotation put this one." })
  predecessorId(@Root() { shopId, id }: ApiKey, @Ctx() context: CoreContext): Promise<string | null> {
    return loaderOf(context, loadPredecessors).load({ shopId, id });
  }
}

@Resolver()
export class ApiKeyMutations {
  @Authorized(Permission.SETTINGS)
  @Mutation(() => CreatedApiKey, {
    description:
      "Creates a key to the REST API. A plan allows 2 or 10 that are alive; a rotated key does not count beside its successor.",
  })
  createApiKey(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("input", () => CreateApiKeyInput, { description: "What to create." }) input: CreateApiKeyInput,
  ): Promise<CreatedApiKey> {
    return createApiKey(operationOf(context, shopId), { ...input });
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => ApiKey, { description: "Gives a key another name. Its scopes and its secret stay." })
  updateApiKey(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The API key." }) id: string,
    @Arg("input", () => UpdateApiKeyInput, { description: "What to change." }) input: UpdateApiKeyInput,
  ): Promise<ApiKey> {
    return renameCredential(operationOf(context, shopId), apiKeys, id, { ...input });
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => CreatedApiKey, {
    description:
      "Puts a new key in the place of an old one, with its name and those of its scopes that the plan includes. Needs no free place.",
  })
  rotateApiKey(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The API key." }) id: string,
    @Arg("input", () => RotateApiKeyInput, { description: "The terms of the rotation." }) input: RotateApiKeyInput,
  ): Promise<CreatedApiKey> {
    return rotateApiKey(operationOf(context, shopId), id, { ...input });
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => ApiKey, {
    description: "Ends a key for good, everywhere within a second. Does nothing to one that is revoked already.",
  })
  revokeApiKey(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The API key." }) id: string,
  ): Promise<ApiKey> {
    return revokeCredential(operationOf(context, shopId), apiKeys, id);
  }
}
