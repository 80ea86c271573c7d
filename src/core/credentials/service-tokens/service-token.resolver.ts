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
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from "type-graphql";
import { ShopId } from "../../schema/operation-arguments.ts";
import { operationOf } from "../../access/operation.ts";
import type { CoreContext } from "../../context.ts";
import type { Page } from "../../model/page.ts";
import { Permission } from "../../model/permissions.ts";
import { selectionOf } from "../../queries/selection.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import { Shop } from "../../model/shops/shop.entity.ts";
import { serviceTokens } from "../credential-kind.ts";
import { listCredentials, ListCredentialsArgs, type ShownCredential } from "../list-credentials.ts";
import { renameCredential } from "../rename-credential.ts";
import { revokeCredential } from "../revoke-credential.ts";
import { createServiceToken } from "./create-service-token.ts";
import { ServiceToken, ServiceTokenPage } from "../../model/credentials/service-token.entity.ts";

@InputType({ description: "A new service token." })
class CreateServiceTokenInput {
  @Field(() => String, { description: "1 to 255 characters after trimming." })
  name!: string;

  @Field(() => [Permission], { description: "At least one, and not SETTINGS: a service cannot give itself more." })
  permissions!: Permission[];

  @Field(() => TimestampScalar, { nullable: true, description: "In the future; null for never." })
  expiresAt?: Date | null;
}

@InputType({ description: "Changes to a service token." })
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

@Resolver(() => Shop)
export class ShopServiceTokensResolver {
  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => ServiceTokenPage, { description: "Newest first, those that ended included." })
  serviceTokens(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => ListCredentialsArgs) filter: ListCredentialsArgs,
  ): Promise<Page<ShownCredential<ServiceToken>>> {
    return context.limit(listCredentials, context.orm.em, serviceTokens, shop.id, filter, selectionOf(info));
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
    return createServiceToken(operationOf(context, shopId), { ...input });
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => ServiceToken, { description: "Gives a token another name. Its permissions and its secret stay." })
  updateServiceToken(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The service token." }) id: string,
    @Arg("input", () => UpdateServiceTokenInput, { description: "What to change." }) input: UpdateServiceTokenInput,
  ): Promise<ServiceToken> {
    return renameCredential(operationOf(context, shopId), serviceTokens, id, { ...input });
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
    return revokeCredential(operationOf(context, shopId), serviceTokens, id);
  }
}
