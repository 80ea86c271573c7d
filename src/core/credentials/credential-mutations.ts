import { Authorized, Field, InputType, Mutation, Resolver, type ClassType } from "type-graphql";
import { ShopOperation, type Operation } from "../access/operation.ts";
import type { Credential } from "../model/credentials/credential.ts";
import { Permission } from "../model/permissions.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { Changes, Id } from "../schema/operation-arguments.ts";
import type { CredentialKind } from "./credential-kind.ts";
import { renameCredential, revokeCredential } from "./credentials.ts";

@InputType()
class NameInput {
  @Field(() => String, { description: "1 to 255 characters after trimming, in one line." })
  name!: string;
}

/** The base class of the input for a new credential. */
@InputType()
export abstract class NewCredentialInput extends NameInput {
  @Field(() => TimestampScalar, {
    nullable: true,
    description: "When it expires, in the future. Null if it does not expire.",
  })
  expiresAt?: Date | null;
}

/** Makes the base class of a credential's resolver, with the mutations to rename and to revoke it. */
export function credentialMutations<Kind extends Credential>(
  kind: CredentialKind<Kind>,
  noun: string,
  descriptions: { input: string; update: string; revoke: string },
): ClassType<object> {
  const { entity } = kind;

  @InputType(`Update${entity.name}Input`, { description: descriptions.input })
  class UpdateInput extends NameInput {}

  @Authorized(Permission.SETTINGS)
  @Resolver()
  class CredentialMutations {
    @Mutation(() => entity, { name: `update${entity.name}`, description: descriptions.update })
    update(
      @ShopOperation() operation: Operation,
      @Id(noun) id: string,
      @Changes(() => UpdateInput) input: UpdateInput,
    ): Promise<Kind> {
      return renameCredential(operation, kind, id, { ...input });
    }

    @Mutation(() => entity, { name: `revoke${entity.name}`, description: descriptions.revoke })
    revoke(@ShopOperation() operation: Operation, @Id(noun) id: string): Promise<Kind> {
      return revokeCredential(operation, kind, id);
    }
  }
  return CredentialMutations;
}
