import { Args, Authorized, FieldResolver, Resolver, Root } from "type-graphql";
import type { Page } from "../model/page.ts";
import { Permission } from "../model/permissions.ts";
import type { Shown } from "../queries/columns.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { AuditDetail, AuditEntry, AuditEntryPage } from "../model/shops/audit-entry.entity.ts";
import { listAuditLog, ListAuditLogArgs, listDetails } from "./list-audit-log.ts";
import { ReadsShop, type ShopReader } from "../queries/selection.ts";

@Resolver(() => Shop)
export class ShopAuditResolver {
  @Authorized(Permission.READ_LOGS)
  @FieldResolver(() => AuditEntryPage, {
    description:
      "The audit log, newest first. Contains changes to settings, credentials, webhook endpoints and staff, changes to existing orders, customers and products, and logins, failed logins and ended sessions of staff.",
  })
  auditLog(
    @ReadsShop() read: ShopReader,
    @Args(() => ListAuditLogArgs) filter: ListAuditLogArgs,
  ): Promise<Page<Shown<AuditEntry, "id">>> {
    return read(listAuditLog, filter);
  }
}

@Resolver(() => AuditEntry)
export class AuditEntryResolver {
  @FieldResolver(() => [AuditDetail], { description: "Details of the action. Never contains secrets." })
  details(@Root() entry: AuditEntry): AuditDetail[] {
    return listDetails(entry.details);
  }
}
