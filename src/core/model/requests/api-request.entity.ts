import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { Field, Float, ID, Int, ObjectType } from "type-graphql";
import { pageOf } from "../page.ts";
import { TimestampScalar } from "../scalars.ts";
import { ShopRow } from "../shop-row.ts";
import { rowOf } from "../column.ts";
import { field, nullable } from "../fields.ts";

/** The maximum number of requests kept for a shop. */
export const MAX_REQUESTS = 100_000;
/** The maximum length of a stored error body. Characters. */
export const MAX_ERROR_BODY = 2_000;
/** The maximum length of a stored User-Agent. Characters. */
export const MAX_USER_AGENT = 200;

/** A request to the v1 API with one of the shop's keys, logged for the shop's developers. */
@Entity({ tableName: "api_requests" })
@ObjectType({ description: "A request to the v1 REST API with one of the shop's API keys.", simpleResolvers: true })
export class ApiRequest extends rowOf(ShopRow, {
  requestId: field(String, "The X-Request-Id of the response."),
  apiKeyId: field(ID, "The ID of the API key."),
  method: field(String, "The HTTP method."),
  route: field(String, "The route after the shop ID, such as /products/{productId}."),
  path: field(String, "The path after the shop ID, without the query."),
  userAgent: nullable(
    String,
    `The first ${MAX_USER_AGENT} characters of the client's User-Agent. Null if it sent none.`,
  ),
  durationMs: field(Float, "The time from the request's headers to the response, in milliseconds."),
  errorBody: nullable(
    String,
    `The first ${MAX_ERROR_BODY} characters of the response body. Null unless the response is an error.`,
    { complexity: 2 },
  ),
  createdAt: field(TimestampScalar, "When the response was sent."),
}) {
  @Property({ type: "smallint" })
  @Field(() => Int, { description: "The HTTP status of the response." })
  status!: number;

  @Property({ type: "inet", nullable: true })
  @Field(() => String, {
    nullable: true,
    description: "The IP address of the client. Null if unknown, as for requests before it was recorded.",
  })
  address!: string | null;
}

@ObjectType({ description: "A page of requests.", simpleResolvers: true })
export class ApiRequestPage extends pageOf(ApiRequest) {}
