import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { Field, ID, ObjectType, registerEnumType } from "type-graphql";
import { pageOf } from "../page.ts";
import { SCOPES, type Scope } from "../permissions.ts";
import { Credential } from "./credential.ts";

export const ApiScope: Readonly<Record<string, Scope>> = Object.fromEntries(
  SCOPES.map((scope) => [scope.toUpperCase(), scope]),
);

registerEnumType(ApiScope, {
  name: "ApiScope",
  description: "A permission of an API key. REST writes these in lower case, such as read_products.",
  valuesConfig: Object.fromEntries(
    SCOPES.map((scope) => {
      const [action, ...resource] = scope.split("_");
      return [scope.toUpperCase(), { description: `${action === "read" ? "See" : "Change"} ${resource.join(" ")}.` }];
    }),
  ),
});

/** A merchant's key to the REST API. Its scopes never change; its secret is stored only as a digest. */
@Entity({ tableName: "api_keys" })
@ObjectType({ description: "A merchant's key to the REST API. Its scopes never change.", simpleResolvers: true })
export class ApiKey extends Credential {
  @Property({ type: "text[]" })
  @Field(() => [ApiScope], { description: "The scopes of the key, as far as the shop's plan includes them." })
  scopes!: string[];

  @Property({ type: "text", nullable: true })
  @Field(() => ID, { nullable: true, description: "The key that rotation put in its place." })
  successorId!: string | null;
}

@ObjectType({ description: "A page of API keys.", simpleResolvers: true })
export class ApiKeyPage extends pageOf(ApiKey) {}
