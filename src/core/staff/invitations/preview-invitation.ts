import type { EntityManager } from "@mikro-orm/postgresql";
import { Field, ID, ObjectType } from "type-graphql";
import { TimestampScalar } from "../../model/scalars.ts";
import { requireShop } from "../../shops/require-shop.ts";
import { findAccount } from "../accounts/account.ts";
import { Role } from "../../model/staff/staff.entity.ts";
import { findInvitation } from "./find-invitation.ts";

@ObjectType({
  description: "An invitation as whoever has its token may see it before they accept.",
  simpleResolvers: true,
})
export class InvitationPreview {
  @Field(() => ID, { description: "The shop that whoever accepts it joins." })
  shopId!: string;

  @Field(() => String, { description: "The shop's name." })
  shopName!: string;

  @Field(() => Role, { description: "What the new member may do." })
  role!: Role;

  @Field(() => String, { description: "Whose account it makes, or is for." })
  email!: string;

  @Field(() => TimestampScalar, { description: "From then on it cannot be accepted." })
  expiresAt!: Date;

  @Field(() => Boolean, {
    description: "True when an account has this address. Accepting then takes its password, and otherwise a new one.",
  })
  hasAccount!: boolean;
}

/**
 * Shows the invitation of a token. Its holder may accept it, and would learn all of this anyway.
 *
 * @throws AppError NOT_FOUND, the same for every token that cannot be used
 */
export async function previewInvitation(em: EntityManager, token: string): Promise<InvitationPreview> {
  const { shopId, role, email, expiresAt } = await findInvitation(em, token, { disableIdentityMap: true });
  const { name } = await requireShop(em, shopId);
  return { shopId, shopName: name, role, email, expiresAt, hasAccount: (await findAccount(em, email)) !== null };
}
