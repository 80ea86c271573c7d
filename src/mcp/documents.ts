import { orOwn, Permission, type Needed } from "../core/model/permissions.ts";
import { MAX_ROWS, type Json } from "./tool.ts";

/** The document of a tool: a field of the shop or a mutation, with its arguments and this selection. */
export interface ToolDocument {
  permission: Needed;
  field: string;
  selection: string;
  /** Instead of the field's own description. */
  description?: string;
  /** Reads a page with each of these variables, and makes one answer of them. */
  pages?: { variables: Json[]; summarize: (pages: Json[]) => Json };
}

const { READ_ORDERS, READ_PRODUCTS, READ_CUSTOMERS, READ_LOGS, REPLAY_DELIVERIES } = Permission;

const order = `id orderNumber receiptNumber status paymentStatus fulfillmentStatus channel totalAmount refundedAmount
  currency createdAt updatedAt customer { id email firstName lastName }`;
const orderParts = `subtotalAmount discountAmount taxAmount notes cancelReason metadata { key value }
  items { title variantTitle sku quantity fulfilledQuantity refundedQuantity unitPrice totalAmount productId variantId }
  payments { method status amount refundedAmount reference processedAt } refunds { amount reason actorName createdAt }
  changes { action actorName createdAt details { name value } }`;
const product =
  "id title handle status updatedAt metadata { key value } variants { id title sku barcode price inventoryQuantity isStockTracked }";
const stockChange = `id createdAt productId productTitle variantId variantTitle reason delta quantityAfter note
  orderNumber actorName`;
const lowStock = "id productId productTitle title sku inventoryQuantity";
const customer =
  "id email firstName lastName phone note orderCount storeCreditBalance createdAt updatedAt metadata { key value }";
const endpoint = `id url description topics isPull paused replay { startedAt total waiting lastAt }
  health { status consecutiveFailures failingSince nextProbeAt disabledAt disabledReason disablesAt waitingDeliveries
    failingTopics { topic failures } }`;
const delivery = `id eventId topic status attemptCount lastAttemptAt nextAttemptAt responseStatus errorClass error
  createdAt endpoint { id url }`;
const attempts = "body attempts { startedAt totalMs isProbe responseStatus responseBody errorClass error }";
const request = "requestId apiKeyId method route path status durationMs errorBody address userAgent createdAt";
const auditEntry = `action createdAt actorKind actorId actorName targetId targetName address userAgent
  details { name value }`;

/** Requests of each class of statuses that are grouped. */
const GROUPED = 250;

/** The tools of services, by name. */
export const documents: Record<string, ToolDocument> = {
  findOrders: { permission: READ_ORDERS, field: "orders", selection: order },
  getOrder: { permission: READ_ORDERS, field: "order", selection: `${order} ${orderParts}` },
  findProducts: { permission: READ_PRODUCTS, field: "products", selection: product },
  listStockChanges: { permission: READ_PRODUCTS, field: "stockChanges", selection: stockChange },
  listLowStock: { permission: READ_PRODUCTS, field: "lowStock", selection: lowStock },
  findCustomers: { permission: READ_CUSTOMERS, field: "customers", selection: customer },
  listWebhookEndpoints: { permission: orOwn(READ_LOGS), field: "webhookEndpoints", selection: endpoint },
  findDeliveries: { permission: orOwn(READ_LOGS), field: "webhookDeliveries", selection: delivery },
  getDelivery: { permission: orOwn(READ_LOGS), field: "webhookDelivery", selection: `${delivery} ${attempts}` },
  replayDelivery: { permission: orOwn(REPLAY_DELIVERIES), field: "replayDelivery", selection: "id" },
  replayFailedDeliveries: {
    permission: orOwn(REPLAY_DELIVERIES),
    field: "replayFailedDeliveries",
    selection: "replayed remaining lastAt",
  },
  findRequests: { permission: READ_LOGS, field: "requests", selection: request },
  groupFailedRequests: {
    permission: READ_LOGS,
    field: "requests",
    selection: request,
    description: `The newest ${GROUPED} requests with a 4xx status and as many with a 5xx status, by route and error.`,
    pages: { variables: [4, 5].map((statusClass) => ({ statusClass, limit: GROUPED })), summarize: groupRequests },
  },
  listAuditLog: { permission: READ_LOGS, field: "auditLog", selection: auditEntry },
};

/** Groups requests by route and error, those with the most requests first. */
function groupRequests(pages: Json[]): Json {
  const rows = pages.flatMap(({ items }) => items as Json[]);
  const keyOf = ({ method, route, status, errorBody }: Json) => JSON.stringify([method, route, status, errorBody]);
  const groups = [...Map.groupBy(rows, keyOf).values()].map((group) => {
    const { method, route, status, errorBody, requestId, createdAt } = group[0]!;
    const times = { firstAt: group.at(-1)!.createdAt, lastAt: createdAt, lastRequestId: requestId };
    return { requests: group.length, method, route, status, errorBody, ...times };
  });
  const total = pages.reduce((sum, page) => sum + Number(page.total), 0);
  return { groups: groups.toSorted((a, b) => b.requests - a.requests).slice(0, MAX_ROWS), grouped: rows.length, total };
}
