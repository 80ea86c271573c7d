import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { ID, ObjectType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";
import { Role } from "./staff.entity.ts";
import { ShopRow } from "../shop-row.ts";
import { Column } from "../column.ts";

/** An invitation to a shop. Anyone with its token can accept it. */
@Entity({ tableName: "invitations" })
@ObjectType({ description: "An invitation to join the staff of a shop.", simpleResolvers: true })
export class Invitation extends ShopRow {
  @Column(() => String, { description: "The invited email address." })
  email!: string;

  @Column(() => Role, { description: "The role of the new staff member." })
  role!: Role;

  @Property({ type: "bytea", lazy: true })
  tokenDigest!: Buffer;

  @Column(() => ID, {
    nullable: true,
    description: "The ID of the staff member or service that created it. Null if an operator created it.",
  })
  invitedBy!: string | null;

  @Column(() => TimestampScalar, { description: "When it was created." })
  createdAt!: Date;

  @Column(() => TimestampScalar, { description: "When it expires." })
  expiresAt!: Date;
}
