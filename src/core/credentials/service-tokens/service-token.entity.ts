import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType } from "type-graphql";
import { pageOf } from "../../queries/pagination.ts";
import { Permission } from "../../access/permissions.ts";
import { TimestampScalar } from "../../schema/scalars.ts";
import { ShopRow } from "../../shop-row.ts";

/** Lets a service of the shop's own, such as a storefront's backend, use GraphQL. */
@Entity({ tableName: "service_tokens" })
@ObjectType({
  description: "Lets a service of the shop's own, such as a storefront's backend, use GraphQL.",
  simpleResolvers: true,
})
export class ServiceToken extends ShopRow {
  @Property({ type: "text" })
  @Field(() => String, { description: "What staff called it. Several tokens may have one name." })
  name!: string;

  /** SHA-256 of the secret. */
  @Property({ type: "bytea", lazy: true })
  digest!: Buffer;

  @Property({ type: "text" })
  @Field(() => String, { description: "The secret's first 8 characters." })
  firstCharacters!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "The secret's last 4 characters." })
  lastCharacters!: string;

  @Property({ type: "text[]" })
  @Field(() => [Permission], { description: "What the service may do in the shop." })
  permissions!: Permission[];

  @Property({ type: "text", nullable: true })
  @Field(() => ID, { nullable: true, description: "Who created it; null for an operator." })
  createdBy!: string | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it was created." })
  createdAt!: Date;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, { nullable: true, description: "From then on it is refused; null for never." })
  expiresAt!: Date | null;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, { nullable: true, description: "When it was revoked; null when it was not." })
  revokedAt!: Date | null;

  @Property({ type: "timestamptz", nullable: true })
  @Field(() => TimestampScalar, {
    nullable: true,
    description: "The last request with it, known about ten seconds late; null before the first.",
  })
  lastUsedAt!: Date | null;
}

@ObjectType({ description: "A page of service tokens.", simpleResolvers: true })
export class ServiceTokenPage extends pageOf(ServiceToken) {}
