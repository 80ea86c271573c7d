import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { ObjectType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";
import { ShopRow } from "../shop-row.ts";
import { rowOf } from "../column.ts";
import { field } from "../fields.ts";

/** A deleted endpoint, stored as long as its deliveries. Nothing can be sent to it. */
@Entity({ tableName: "deleted_webhook_endpoints" })
@ObjectType({ description: "A deleted webhook endpoint. Its deliveries are kept for 30 days.", simpleResolvers: true })
export class DeletedWebhookEndpoint extends rowOf(ShopRow, {
  url: field(String, "The URL that deliveries were sent to, without the query."),
  deletedAt: field(TimestampScalar, "When it was deleted."),
}) {
  @Property({ type: "text", nullable: true })
  description!: string | null;
}
