import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { Field, Float, ID, Int, ObjectType } from "type-graphql";
import { pageOf } from "../page.ts";
import { TimestampScalar } from "../scalars.ts";
import { ShopRow } from "../shop-row.ts";

/** The most of an error's body that is kept, in characters. */
export const MAX_ERROR_BODY = 2_000;

/** One request to the v1 API with a key of the shop, for the developer who looks into what happened. */
@Entity({ tableName: "api_requests" })
@ObjectType({ description: "One request to the v1 API with a key of the shop.", simpleResolvers: true })
export class ApiRequest extends ShopRow {
  @Property({ type: "text" })
  @Field(() => String, { description: "The X-Request-Id of its answer." })
  requestId!: string;

  @Property({ type: "text" })
  @Field(() => ID, { description: "The identifier of the API key." })
  apiKeyId!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "HTTP method." })
  method!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "The route below the shop, such as /products/{productId}." })
  route!: string;

  @Property({ type: "text" })
  @Field(() => String, { description: "The path below the shop, without the query." })
  path!: string;

  @Property({ type: "smallint" })
  @Field(() => Int, { description: "HTTP status of the answer." })
  status!: number;

  @Property({ type: "real" })
  @Field(() => Float, { description: "From the request's headers to the answer, in milliseconds." })
  durationMs!: number;

  @Property({ type: "text", nullable: true })
  @Field(() => String, {
    nullable: true,
    description: `The answer's body when it was an error: its first ${MAX_ERROR_BODY} characters.`,
    complexity: 2,
  })
  errorBody!: string | null;

  @Property({ type: "timestamptz" })
  @Field(() => TimestampScalar, { description: "When it was answered." })
  createdAt!: Date;
}

@ObjectType({ description: "A page of requests.", simpleResolvers: true })
export class ApiRequestPage extends pageOf(ApiRequest) {}
