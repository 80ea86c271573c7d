import { Authorized, InputType, Mutation, Resolver, type ClassType } from "type-graphql";
import { ShopOperation, type AnsweredOperation } from "../access/operation.ts";
import type { Credential } from "../model/credentials/credential.ts";
import { field, inputOf, nullable } from "../model/fields.ts";
import { Permission } from "../model/permissions.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { Changes, Id } from "../mutations/operation-arguments.ts";
import { answerOf } from "../queries/find-by-id.ts";
import { findCredential, type ShownCredential } from "./list-credentials.ts";
import type { CredentialKind } from "./credential-kind.ts";
import { renameCredential, revokeCredential } from "./credentials.ts";

const name = field(String, "1 to 255 characters after trimming, in one line.");
/** The fields of the input for a new credential. */
export const newCredential = {
  name,
  expiresAt: nullable(TimestampScalar, "When it expires, in the future. Null if it does not expire."),
};

/** Makes the base class of a credential's resolver, with the mutations to rename and to revoke it. */
export function credentialMutations<Kind extends Credential>(
  kind: CredentialKind<Kind>,
  noun: string,
  descriptions: { input: string; update: string; revoke: string },
): ClassType<object> {
  const { entity, title } = kind;
  const answer = answerOf(title, findCredential(kind));

  @InputType(`Update${entity.name}Input`, { description: descriptions.input })
  class UpdateInput extends inputOf({ name }) {}

  @Authorized(Permission.SETTINGS)
  @Resolver()
  class CredentialMutations {
    @Mutation(() => entity, { name: `update${entity.name}`, description: descriptions.update })
    async update(
      @ShopOperation() operation: AnsweredOperation,
      @Id(noun) id: string,
      @Changes(() => UpdateInput) input: UpdateInput,
    ): Promise<ShownCredential<Kind>> {
      await renameCredential(operation, kind, id, { ...input });
      return answer(operation, id);
    }

    @Mutation(() => entity, { name: `revoke${entity.name}`, description: descriptions.revoke })
    async revoke(@ShopOperation() operation: AnsweredOperation, @Id(noun) id: string): Promise<ShownCredential<Kind>> {
      await revokeCredential(operation, kind, id);
      return answer(operation, id);
    }
  }
  return CredentialMutations;
}
