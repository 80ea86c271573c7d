import { PrimaryKeyProp } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, Int, ObjectType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";

/** Unlike the log of requests, which keeps the newest, it counts all. */
@Entity({ tableName: "hourly_requests" })
@ObjectType({ description: "The requests to the v1 REST API in one hour.", simpleResolvers: true })
export class HourlyRequests {
  [PrimaryKeyProp]?: ["shopId", "hour"];

  @PrimaryKey({ type: "text" })
  shopId!: string;

  @PrimaryKey({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "The start of the hour." })
  hour!: Date;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "The number of requests." })
  requests!: number;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "The number of responses with a 4xx status." })
  clientErrors!: number;

  @Property({ type: "integer" })
  @Field(() => Int, { description: "The number of responses with a 5xx status." })
  serverErrors!: number;
}
