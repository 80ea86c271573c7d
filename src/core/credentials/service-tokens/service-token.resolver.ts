import type { GraphQLResolveInfo } from "graphql";
import {
  Arg,
  Args,
  Authorized,
  Ctx,
  FieldResolver,
  Info,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from "type-graphql";
import { ShopOperation, type Operation } from "../../access/operation.ts";
import type { CoreContext } from "../../context.ts";
import { field, inputOf, objectOf } from "../../model/fields.ts";
import type { Page } from "../../model/page.ts";
import { Permission } from "../../model/permissions.ts";
import { selectionOf } from "../../queries/selection.ts";
import { Shop } from "../../model/shops/shop.entity.ts";
import { serviceTokens } from "../credential-kind.ts";
import { credentialMutations, newCredential } from "../credential-mutations.ts";
import { listCredentials, ListCredentialsArgs, type ShownCredential } from "../list-credentials.ts";
import { createServiceToken } from "./service-tokens.ts";
import { ServiceToken, ServiceTokenPage } from "../../model/credentials/service-token.entity.ts";

@InputType({ description: "A new service token." })
class CreateServiceTokenInput extends inputOf({
  ...newCredential,
  permissions: field([Permission], "The permissions, at least one. SETTINGS is not allowed."),
}) {}

@ObjectType({ description: "A new service token with its secret.", simpleResolvers: true })
class CreatedServiceToken extends objectOf({
  serviceToken: field(ServiceToken, "The new token."),
  secret: field(String, "The secret for the Authorization: Bearer header, shown only once."),
}) {}

@Resolver(() => Shop)
export class ShopServiceTokensResolver {
  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => ServiceTokenPage, {
    description: "Service tokens, including expired and revoked ones. Active tokens come first, then the newest.",
  })
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
export class ServiceTokenMutations extends credentialMutations(serviceTokens, "service token", {
  input: "Changes to a service token.",
  update: "Renames a service token. Its permissions and its secret do not change.",
  revoke: "Revokes a service token, with immediate effect. Does nothing if it is already revoked.",
}) {
  @Authorized(Permission.SETTINGS)
  @Mutation(() => CreatedServiceToken, {
    description:
      "Creates a token that lets a service use GraphQL in this shop. Plans do not limit the number of tokens.",
  })
  createServiceToken(
    @ShopOperation() operation: Operation,
    @Arg("input", () => CreateServiceTokenInput, { description: "What to create." }) input: CreateServiceTokenInput,
  ): Promise<CreatedServiceToken> {
    return createServiceToken(operation, { ...input });
  }
}
