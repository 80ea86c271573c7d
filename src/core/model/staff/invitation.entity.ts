import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { ID, ObjectType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";
import { Role } from "./staff.entity.ts";
import { ShopRow } from "../shop-row.ts";
import { rowOf } from "../column.ts";
import { field, nullable } from "../fields.ts";

/** An invitation to a shop. Anyone with its token can accept it. */
@Entity({ tableName: "invitations" })
@ObjectType({ description: "An invitation to join the staff of a shop.", simpleResolvers: true })
export class Invitation extends rowOf(ShopRow, {
  email: field(String, "The invited email address."),
  role: field(Role, "The role of the new staff member."),
  invitedBy: nullable(ID, "The ID of the staff member or service that created it. Null if an operator created it."),
  createdAt: field(TimestampScalar, "When it was created."),
  expiresAt: field(TimestampScalar, "When it expires."),
}) {
  @Property({ type: "bytea", lazy: true })
  tokenDigest!: Buffer;
}
