import type { GraphQLResolveInfo } from "graphql";
import { Args, Authorized, Ctx, FieldResolver, Info, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../context.ts";
import type { Page } from "../model/page.ts";
import { Permission } from "../model/permissions.ts";
import type { Shown } from "../queries/columns.ts";
import { selectionOf } from "../queries/selection.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { AuditDetail, AuditEntry, AuditEntryPage } from "../model/shops/audit-entry.entity.ts";
import { listAuditLog, ListAuditLogArgs } from "./list-audit-log.ts";

@Resolver(() => Shop)
export class ShopAuditResolver {
  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => AuditEntryPage, {
    description:
      "The audit log, newest first. Contains changes to settings, credentials, webhook endpoints and staff, changes to existing orders, customers and products, and logins, failed logins and ended sessions of staff.",
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
  @FieldResolver(() => [AuditDetail], { description: "Details of the action. Never contains secrets." })
  details(@Root() entry: AuditEntry): AuditDetail[] {
    return Object.entries(entry.details).map(([name, value]) => ({ name, value }));
  }
}
