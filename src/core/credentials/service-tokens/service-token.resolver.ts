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
import { Permission } from "../../access/permissions.ts";
import { requestedPageFields } from "../../queries/list-query.ts";
import { TimestampScalar } from "../../schema/scalars.ts";
import { Shop } from "../../shops/shop.entity.ts";
import { actorName, CREATED_BY_NAME } from "../../access/actor-name.ts";
import { CredentialStatus } from "../credential.ts";
import { renameCredential } from "../rename-credential.ts";
import { createServiceToken } from "./create-service-token.ts";
import { listServiceTokens } from "./list-service-tokens.ts";
import { lockServiceToken } from "./lock-service-token.ts";
import { revokeServiceToken } from "./revoke-service-token.ts";
import { ServiceToken, ServiceTokenPage } from "./service-token.entity.ts";

@InputType({ description: "A new service token." })
class CreateServiceTokenInput {
  @Field(() => String, { description: "1 to 255 characters after trimming." })
  name!: string;

  @Field(() => [Permission], { description: "At least one, and not SETTINGS: a service cannot give itself more." })
  permissions!: Permission[];

  @Field(() => TimestampScalar, { nullable: true, description: "In the future; null for never." })
  expiresAt?: Date | null;
}

@InputType({ description: "What changes of a service token." })
class UpdateServiceTokenInput {
  @Field(() => String, { description: "1 to 255 characters after trimming." })
  name!: string;
}

@ObjectType({ description: "A new service token with its secret.", simpleResolvers: true })
class CreatedServiceToken {
  @Field(() => ServiceToken, { description: "The new token." })
  serviceToken!: ServiceToken;

  @Field(() => String, { description: "Goes into Authorization: Bearer. Shown here once and never again." })
  secret!: string;
}

@ArgsType()
class ListServiceTokensArgs extends PageArgs {
  @Field(() => CredentialStatus, { nullable: true, description: "Only tokens of this status." })
  status?: CredentialStatus | null;
}

@Resolver(() => Shop)
export class ShopServiceTokensResolver {
  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => ServiceTokenPage, { description: "Newest first, those that ended included." })
  serviceTokens(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => ListServiceTokensArgs) filter: ListServiceTokensArgs,
  ): Promise<Page<ServiceToken>> {
    return listServiceTokens(context.orm.em, shop.id, filter, requestedPageFields(info));
  }
}

@Resolver(() => ServiceToken)
export class ServiceTokenResolver {
  @FieldResolver(() => String, { nullable: true, description: CREATED_BY_NAME })
  createdByName(@Root() { shopId, createdBy }: ServiceToken, @Ctx() context: CoreContext): Promise<string | null> {
    return actorName(context, shopId, createdBy);
  }
}

@Resolver()
export class ServiceTokenMutations {
  @Authorized(Permission.SETTINGS)
  @Mutation(() => CreatedServiceToken, {
    description: "Creates a token with which a service may use GraphQL in this shop alone. Plans do not limit them.",
  })
  createServiceToken(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("input", () => CreateServiceTokenInput, { description: "What to create." }) input: CreateServiceTokenInput,
  ): Promise<CreatedServiceToken> {
    const { shop, author } = authorizedShop(context, shopId);
    return createServiceToken(context.orm.em, shop, author, { ...input });
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => ServiceToken, { description: "Gives a token another name. Its permissions and its secret stay." })
  updateServiceToken(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The service token." }) id: string,
    @Arg("input", () => UpdateServiceTokenInput, { description: "What to change." }) input: UpdateServiceTokenInput,
  ): Promise<ServiceToken> {
    const { author } = authorizedShop(context, shopId);
    const lock = (em: EntityManager) => lockServiceToken(em, shopId, id);
    return renameCredential(context.orm.em, author, AuditAction.SERVICE_TOKEN_UPDATED, lock, { ...input });
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => ServiceToken, {
    description: "Ends a token for good, at once. Does nothing to one that is revoked already.",
  })
  revokeServiceToken(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The service token." }) id: string,
  ): Promise<ServiceToken> {
    return revokeServiceToken(context.orm.em, shopId, authorizedShop(context, shopId).author, id);
  }
}
