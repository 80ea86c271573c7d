import { Entity, Property } from "@mikro-orm/decorators/legacy";
import { ObjectType } from "type-graphql";
import { TimestampScalar } from "../scalars.ts";
import { ShopRow } from "../shop-row.ts";
import { Column } from "../column.ts";

/** A deleted endpoint, stored as long as its deliveries. Nothing can be sent to it. */
@Entity({ tableName: "deleted_webhook_endpoints" })
@ObjectType({ description: "A deleted webhook endpoint. Its deliveries are kept for 30 days.", simpleResolvers: true })
export class DeletedWebhookEndpoint extends ShopRow {
  @Column(() => String, { description: "The URL that deliveries were sent to, without the query." })
  url!: string;

  @Property({ type: "text", nullable: true })
  description!: string | null;

  @Column(() => TimestampScalar, { description: "When it was deleted." })
  deletedAt!: Date;
}
