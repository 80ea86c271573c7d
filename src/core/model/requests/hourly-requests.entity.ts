import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey } from "@mikro-orm/decorators/legacy";
import { Field, Int, ObjectType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";
import { rowOf } from "../column.ts";
import { OwnedRow } from "../shop-row.ts";
import { field } from "../fields.ts";

/** Unlike the log of requests, which keeps the newest, it counts all. */
@Entity({ tableName: "hourly_requests" })
@ObjectType({ description: "The requests to the v1 REST API in one hour.", simpleResolvers: true })
export class HourlyRequests extends rowOf(OwnedRow, {
  requests: field(Int, "The number of requests."),
  clientErrors: field(Int, "The number of responses with a 4xx status."),
  serverErrors: field(Int, "The number of responses with a 5xx status."),
}) {
  [PrimaryKeyProp]?: ["shopId", "hour"];

  @PrimaryKey({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "The start of the hour." })
  hour!: Date;
}
