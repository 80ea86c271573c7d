import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { Field, ObjectType } from "type-graphql";
import { pageOf } from "../page.ts";
import { Permission } from "../permissions.ts";
import { Credential } from "./credential.ts";

/** Lets a service of the shop's own, such as a storefront's backend, use GraphQL. */
@Entity({ tableName: "service_tokens" })
@ObjectType({
  description: "A token that lets a service, such as a storefront's backend, use GraphQL.",
  simpleResolvers: true,
})
export class ServiceToken extends Credential {
  @Property({ type: "text[]" })
  @Field(() => [Permission], { description: "The permissions of the service in the shop." })
  permissions!: Permission[];
}

@ObjectType({ description: "A page of service tokens.", simpleResolvers: true })
export class ServiceTokenPage extends pageOf(ServiceToken) {}
