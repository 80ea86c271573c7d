import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { actorName, CREATED_BY_NAME } from "../access/actor-name.ts";
import type { CoreContext } from "../context.ts";
import { Credential } from "../model/credentials/credential.ts";

/** Resolves fields that all kinds of credentials have. */
@Resolver(() => Credential)
export class CredentialResolver {
  @FieldResolver(() => String, { nullable: true, description: CREATED_BY_NAME })
  createdByName(@Root() { shopId, createdBy }: Credential, @Ctx() context: CoreContext): Promise<string | null> {
    return actorName(context, shopId, createdBy);
  }
}
