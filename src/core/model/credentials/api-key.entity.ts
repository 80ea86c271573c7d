import { Entity } from "@mikro-orm/decorators/legacy";
import { Field, ID, Int, ObjectType, registerEnumType } from "type-graphql";
import { enumType } from "../enum-type.ts";
import { pageOf } from "../page.ts";
import { SCOPES, SCOPES_WITHOUT_ROUTE, type Scope } from "../permissions.ts";
import { Credential } from "./credential.ts";
import { rowOf } from "../column.ts";
import { field, nullable } from "../fields.ts";

export const ApiScope: Readonly<Record<string, Scope>> = Object.fromEntries(
  SCOPES.map((scope) => [scope.toUpperCase(), scope]),
);

registerEnumType(ApiScope, {
  name: "ApiScope",
  description: "A scope of an API key. The REST API writes scopes in lowercase, such as read_products.",
  valuesConfig: Object.fromEntries(
    SCOPES.map((scope) => {
      const [action, ...resource] = scope.split("_");
      const note = SCOPES_WITHOUT_ROUTE.includes(scope) ? " No route requires it yet." : "";
      const description = `${action === "read" ? "View" : "Change"} ${resource.join(" ")}.${note}`;
      return [scope.toUpperCase(), { description }];
    }),
  ),
});

export const SimulatedFailure = enumType("SimulatedFailure", "How a request fails in a simulation.", {
  UNAVAILABLE: "It gets 503 with Retry-After, and changes nothing.",
  TIMEOUT: "Its change is made, and its connection closes after 10 seconds without a response.",
  CONNECTION_CLOSED: "Its change is made, and its connection closes without a response.",
});
export type SimulatedFailure = keyof typeof SimulatedFailure;

/** A key of a merchant for the REST API. Its scopes never change, and only a digest of its secret is stored. */
@Entity({ tableName: "api_keys" })
@ObjectType({ description: "A key for the REST API. Its scopes cannot be changed.", simpleResolvers: true })
export class ApiKey extends rowOf(Credential, {
  scopes: field([ApiScope], "The scopes of the key that the shop's plan includes."),
  successorId: nullable(ID, "The API key that replaced this one in a rotation."),
  allowedAddresses: field(
    [String],
    "The addresses and networks (CIDR) from which the key may be used. Any address if empty.",
  ),
  failuresLeft: field(Int, "The next requests that fail in a simulation. 0 outside of sandboxes."),
  failureKind: nullable(SimulatedFailure, "How they fail. Null if none was ever simulated."),
}) {
  /** Not mapped, as the one below: read with the key. */
  @Field(() => ID, { nullable: true, description: "The API key that this one replaced in a rotation." })
  predecessorId?: string | null;

  @Field(() => Boolean, {
    description:
      "True if the key was not used for 28 days or, if its successor is in use, since the rotation. Revoking it then breaks nothing.",
  })
  isSafeToRevoke?: boolean;
}

@ObjectType({ description: "A page of API keys.", simpleResolvers: true })
export class ApiKeyPage extends pageOf(ApiKey) {}
