import { Entity } from "@mikro-orm/decorators/legacy";
import { ObjectType } from "type-graphql";
import { pageOf } from "../page.ts";
import { Permission } from "../permissions.ts";
import { rowOf } from "../column.ts";
import { field } from "../fields.ts";
import { Credential } from "./credential.ts";

/** Gives one of the shop's own services, such as a storefront's backend, access to GraphQL. */
@Entity({ tableName: "service_tokens" })
@ObjectType({
  description: "A token that lets a service, such as a storefront's backend, use GraphQL.",
  simpleResolvers: true,
})
export class ServiceToken extends rowOf(Credential, {
  permissions: field([Permission], "The permissions of the service in the shop."),
}) {}

@ObjectType({ description: "A page of service tokens.", simpleResolvers: true })
export class ServiceTokenPage extends pageOf(ServiceToken) {}
