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
import { listAuditLog, listDetails } from "./list-audit-log.ts";

@ArgsType()
class ListAuditLogArgs extends PageArgs {
  @Field(() => [AuditAction], { nullable: true, description: "Only entries with these actions. At least one." })
  actions?: AuditAction[] | null;

  @Field(() => ID, { nullable: true, description: "Only entries about the record with this ID." })
  targetId?: string | null;

  @Field(() => ID, { nullable: true, description: "Only entries of the actor with this ID." })
  actorId?: string | null;

  @Field(() => TimestampScalar, { nullable: true, description: "Only entries at or after this time." })
  createdSince?: Date | null;

  @Field(() => TimestampScalar, { nullable: true, description: "Only entries before this time." })
  createdBefore?: Date | null;
}

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
    return listDetails(entry.details);
  }
}
