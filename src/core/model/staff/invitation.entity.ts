import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";
import { Role } from "./staff.entity.ts";
import { ShopRow } from "../shop-row.ts";

/** Lets whoever shows its token join a shop. */
@Entity({ tableName: "invitations" })
@ObjectType({ description: "Lets whoever has its token join the shop.", simpleResolvers: true })
export class Invitation extends ShopRow {
  @Property({ type: "text" })
  @Field(() => String, { description: "Whose account it makes, or is for." })
  email!: string;

  @Property({ type: "text" })
  @Field(() => Role, { description: "What the new member may do." })
  role!: Role;

  @Property({ type: "bytea", lazy: true })
  tokenDigest!: Buffer;

  @Property({ type: "text", nullable: true })
  @Field(() => ID, { nullable: true, description: "The member or service that made it; null for an operator." })
  invitedBy!: string | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it was made." })
  createdAt!: Date;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "From then on it cannot be accepted." })
  expiresAt!: Date;
}
