import type { GraphQLResolveInfo } from "graphql";
import { Args, ArgsType, Authorized, Ctx, Field, FieldResolver, ID, Info, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../context.ts";
import { PageArgs, type Page } from "../model/page.ts";
import { Permission } from "../model/permissions.ts";
import type { Shown } from "../queries/columns.ts";
import { selectionOf } from "../queries/selection.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { AuditAction, AuditDetail, AuditEntry, AuditEntryPage } from "../model/shops/audit-entry.entity.ts";
import { listAuditLog } from "./list-audit-log.ts";

@ArgsType()
class ListAuditLogArgs extends PageArgs {
  @Field(() => [AuditAction], { nullable: true, description: "Only entries of these actions; at least one." })
  actions?: AuditAction[] | null;

  @Field(() => ID, { nullable: true, description: "Only what was done to the record with this identifier." })
  targetId?: string | null;

  @Field(() => ID, { nullable: true, description: "Only what the caller with this identifier did." })
  actorId?: string | null;

  @Field(() => TimestampScalar, { nullable: true, description: "Only entries from this instant on." })
  createdSince?: Date | null;

  @Field(() => TimestampScalar, { nullable: true, description: "Only earlier entries." })
  createdBefore?: Date | null;
}

@Resolver(() => Shop)
export class ShopAuditResolver {
  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => AuditEntryPage, {
    description:
      "What was done to settings, credentials, webhook endpoints and staff, and to orders, customers and products after they were created; logins, refusals, lock-outs and ends of sessions of staff. Newest first.",
  })
  auditLog(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => ListAuditLogArgs) filter: ListAuditLogArgs,
  ): Promise<Page<Shown<AuditEntry, "id">>> {
    return context.limit(listAuditLog, context.orm.em, shop.id, filter, selectionOf(info));
  }
}

@Resolver(() => AuditEntry)
export class AuditEntryResolver {
  @FieldResolver(() => [AuditDetail], { description: "More about what was done, never a secret." })
  details(@Root() entry: AuditEntry): AuditDetail[] {
    return Object.entries(entry.details).map(([name, value]) => ({ name, value }));
  }
}
