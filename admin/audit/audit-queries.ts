import type { ResultOf, VariablesOf } from "gql.tada";
import { graphql, request, type RequestOptions } from "../request.ts";

const AuditLog = graphql(`
  query AuditLog(
    $shopId: ID!
    $after: String
    $actions: [AuditAction!]
    $actorId: ID
    $targetId: ID
    $search: String
    $searchActions: [AuditAction!]
    $createdSince: Timestamp
  ) {
    shop(id: $shopId) {
      auditLog(
        limit: 50
        after: $after
        actions: $actions
        actorId: $actorId
        targetId: $targetId
        search: $search
        searchActions: $searchActions
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

export type AuditEntry = NonNullable<ResultOf<typeof AuditLog>["shop"]>["auditLog"]["items"][number];
export type AuditAction = AuditEntry["action"];

/** Reads the audit log, without a total: it grows without end. */
export const readAuditLog = async (variables: VariablesOf<typeof AuditLog>, options: RequestOptions) =>
  (await request(AuditLog, variables, options)).shop!.auditLog;
