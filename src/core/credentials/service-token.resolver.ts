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
import { callerOf } from "../caller.ts";
import type { CoreContext } from "../context.ts";
import { PageArgs, type Page } from "../pagination.ts";
import { Permission } from "../permissions.ts";
import { requestedPageFields } from "../read-page.ts";
import { requestedFields } from "../requested-fields.ts";
import { TimestampScalar } from "../scalars.ts";
import { Shop } from "../shops/shop.entity.ts";
import { createServiceToken } from "./create-service-token.ts";
import { findServiceToken, listServiceTokens, type ListedServiceToken } from "./list-service-tokens.ts";
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

@ObjectType({ description: "A new service token with its secret.", simpleResolvers: true })
class CreatedServiceToken {
  @Field(() => ServiceToken, { description: "The new token." })
  serviceToken!: ListedServiceToken;

  @Field(() => String, { description: "Goes into Authorization: Bearer. Shown here once and never again." })
  secret!: string;
}

@ArgsType()
class ListServiceTokensArgs extends PageArgs {}

@Resolver(() => Shop)
export class ServiceTokenResolver {
  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => ServiceTokenPage, { description: "Newest first, those that ended included." })
  serviceTokens(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => ListServiceTokensArgs) page: ListServiceTokensArgs,
  ): Promise<Page<ListedServiceToken>> {
    return listServiceTokens(context.database, shop.id, page, requestedPageFields(info));
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => CreatedServiceToken, {
    description: "Creates a token with which a service may use GraphQL in this shop alone. Plans do not limit them.",
  })
  async createServiceToken(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("shopId", () => ID, { description: "The shop." }) shopId: string,
    @Arg("input", () => CreateServiceTokenInput, { description: "What to create." }) input: CreateServiceTokenInput,
  ): Promise<CreatedServiceToken> {
    const { shop, caller } = callerOf(context, shopId);
    const { id, secret } = await createServiceToken(context.orm.em, shop, caller, { ...input });
    const fields = requestedFields(info, "serviceToken");
    return { serviceToken: await findServiceToken(context.database, shopId, id, fields), secret };
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => ServiceToken, {
    description: "Ends a token for good, at once. Does nothing to one that is revoked already.",
  })
  async revokeServiceToken(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("shopId", () => ID, { description: "The shop." }) shopId: string,
    @Arg("id", () => ID, { description: "The service token." }) id: string,
  ): Promise<ListedServiceToken> {
    await revokeServiceToken(context.orm.em, shopId, callerOf(context, shopId).caller, id);
    return findServiceToken(context.database, shopId, id, requestedFields(info));
  }
}
