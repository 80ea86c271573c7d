import type { EntityManager } from "@mikro-orm/postgresql";
import type { GraphQLResolveInfo } from "graphql";
import {
  Arg,
  Args,
  ArgsType,
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
import { authorizedShop } from "../../access/author.ts";
import { AuditAction } from "../../audit/audit-entry.entity.ts";
import type { CoreContext } from "../../context.ts";
import { PageArgs, type Page } from "../../queries/pagination.ts";
import { Permission, type Scope } from "../../access/permissions.ts";
import { requestedPageFields } from "../../queries/list-query.ts";
import { TimestampScalar } from "../../schema/scalars.ts";
import { Shop } from "../../shops/shop.entity.ts";
import { actorName, CREATED_BY_NAME } from "../../access/actor-name.ts";
import { CredentialStatus } from "../credential.ts";
import { renameCredential } from "../rename-credential.ts";
import { ApiKey, ApiKeyPage, ApiScope } from "./api-key.entity.ts";
import { createApiKey } from "./create-api-key.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { lockApiKey } from "./lock-api-key.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rotateApiKey } from "./rotate-api-key.ts";

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

@InputType({ description: "How a new API key takes the place of an old one." })
class RotateApiKeyInput {
  @Field(() => Int, {
    defaultValue: 24,
    description: "For how many hours the old key lives on, unless it expires before: 0 to 168. 0 ends it at once.",
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

@ArgsType()
class ListApiKeysArgs extends PageArgs {
  @Field(() => CredentialStatus, { nullable: true, description: "Only keys of this status." })
  status?: CredentialStatus | null;
}

@Resolver(() => Shop)
export class ShopApiKeysResolver {
  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => ApiKeyPage, { description: "Newest first, those that ended included." })
  apiKeys(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => ListApiKeysArgs) filter: ListApiKeysArgs,
  ): Promise<Page<ApiKey>> {
    return listApiKeys(context.orm.em, shop.id, filter, requestedPageFields(info));
  }
}

@Resolver(() => ApiKey)
export class ApiKeyResolver {
  @FieldResolver(() => String, { nullable: true, description: CREATED_BY_NAME })
  createdByName(@Root() { shopId, createdBy }: ApiKey, @Ctx() context: CoreContext): Promise<string | null> {
    return actorName(context, shopId, createdBy);
  }

  @FieldResolver(() => ID, { nullable: true, description: "The key in whose place rotation put this one." })
  predecessorId(@Root() { shopId, id }: ApiKey, @Ctx() { loaders }: CoreContext): Promise<string | null> {
    return loaders.predecessors.load({ shopId, id });
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
    return createApiKey(context.orm.em, shopId, authorizedShop(context, shopId).author, { ...input });
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => ApiKey, { description: "Gives a key another name. Its scopes and its secret stay." })
  updateApiKey(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The API key." }) id: string,
    @Arg("input", () => UpdateApiKeyInput, { description: "What to change." }) input: UpdateApiKeyInput,
  ): Promise<ApiKey> {
    const { author } = authorizedShop(context, shopId);
    const lock = (em: EntityManager) => lockApiKey(em, shopId, id);
    return renameCredential(context.orm.em, author, AuditAction.API_KEY_UPDATED, lock, { ...input });
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
    @Arg("input", () => RotateApiKeyInput, { description: "How to change over." }) input: RotateApiKeyInput,
  ): Promise<CreatedApiKey> {
    return rotateApiKey(context.orm.em, shopId, authorizedShop(context, shopId).author, id, { ...input });
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
    return revokeApiKey(context.orm.em, shopId, authorizedShop(context, shopId).author, id);
  }
}
