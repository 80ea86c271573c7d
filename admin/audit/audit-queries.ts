import type { ResultOf } from "gql.tada";
import { graphql, request } from "../request.ts";

const AuditLog = graphql(`
  query AuditLog(
    $shopId: ID!
    $after: String
    $actions: [AuditAction!]
    $actorId: ID
    $targetId: ID
    $createdSince: Timestamp
  ) {
    shop(id: $shopId) {
      auditLog(
        limit: 50
        after: $after
        actions: $actions
        actorId: $actorId
        targetId: $targetId
        createdSince: $createdSince
      ) {
        nextCursor
        items {
          id
          action
          actorId
          actorKind
          actorName
          address
          createdAt
          details {
            name
            value
          }
          targetId
          targetName
          userAgent
        }
      }
    }
  }
`);

type AuditPage = NonNullable<ResultOf<typeof AuditLog>["shop"]>["auditLog"];
export type AuditEntry = AuditPage["items"][number];
export type AuditAction = AuditEntry["action"];

interface AuditFilters {
  actions: AuditAction[] | undefined;
  actorId: string | undefined;
  targetId: string | undefined;
  createdSince: string | undefined;
}

/** Reads the audit log, without a total: it grows without end. */
export const readAuditLog =
  (shopId: string, filters: AuditFilters) =>
  async (after: string | null, options: { signal: AbortSignal }): Promise<AuditPage> =>
    (await request(AuditLog, { shopId, after, ...filters }, options)).shop!.auditLog;
