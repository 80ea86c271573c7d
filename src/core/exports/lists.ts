import type { EntityManager } from "@mikro-orm/postgresql";
import { parse, type FieldNode, type OperationDefinitionNode } from "graphql";
import { listCustomers } from "../customers/read-customers.ts";
import { customerColumns, productColumns, type CellType } from "../imports/columns.ts";
import { Permission } from "../model/permissions.ts";
import { SortOrder } from "../model/page.ts";
import { loadOrderCustomers, loadOrderItems, loadPayments } from "../orders/load-order-parts.ts";
import { listOrders, type OrderRow } from "../orders/read-orders.ts";
import { OrderSort } from "../model/orders/order.enums.ts";
import { listProducts, type ShownProduct } from "../products/read-products.ts";
import { kysely } from "../queries/database.ts";
import { Selection } from "../queries/selection.ts";
import type { Row } from "../imports/csv.ts";

/** A part of a list: the filter of its field in GraphQL, and the page. */
type ListPart<List extends (...given: never) => unknown> = Partial<Omit<Parameters<List>[2], "sort" | "order">> & {
  limit: number;
};

interface ExportedList {
  permission: Permission;
  columns: Readonly<Record<string, CellType>>;
  /** Reads a page of records, as the rows of the file. */
  read: (
    em: EntityManager,
    shopId: string,
    part: ListPart<typeof listProducts> & ListPart<typeof listCustomers> & ListPart<typeof listOrders>,
  ) => Promise<{ rows: Row[]; nextCursor: string | null }>;
}

// Sorted by what stays the same when a file is imported, so that another export gives the same file.
const products: ExportedList = {
  permission: Permission.READ_PRODUCTS,
  columns: productColumns,
  read: async (em, shopId, part) => {
    const sorted = { ...part, sort: "handle", order: SortOrder.ASC } as const;
    const { items, nextCursor } = await listProducts(em, shopId, sorted, productFields);
    return { rows: items.flatMap(rowsOfProduct), nextCursor };
  },
};

const productFields = select(`products {
  items {
    handle title description status optionNames
    variants { optionValues sku barcode price inventoryQuantity }
  }
  nextCursor
}`);

/** A row for each variant. */
export function rowsOfProduct({ handle, variants, optionNames, ...product }: ShownProduct): Row[] {
  return variants!.map(({ optionValues, ...variant }, index) => ({
    handle,
    ...(index === 0 && { ...product, ...numbered("Name", optionNames!) }),
    ...numbered("Value", optionValues!),
    ...variant,
  }));
}

/** The columns of options, such as `option1Name`. */
function numbered(name: "Name" | "Value", values: readonly string[]): Row {
  return Object.fromEntries(values.map((value, index) => [`option${index + 1}${name}`, value]));
}

const customers: ExportedList = {
  permission: Permission.READ_CUSTOMERS,
  columns: customerColumns,
  read: async (em, shopId, part) => {
    const sorted = { ...part, sort: "email", order: SortOrder.ASC } as const;
    const { items, nextCursor } = await listCustomers(em, shopId, sorted, customerFields);
    return { rows: items.filter(({ erasedAt }) => erasedAt === null), nextCursor };
  },
};

const customerFields = select(`customers { items { email firstName lastName phone note erasedAt } nextCursor }`);

/** The order is in its first row alone, but for the number. The other rows have its further lines and payments. */
const orders: ExportedList = {
  permission: Permission.READ_ORDERS,
  columns: {
    orderNumber: "text",
    id: "text",
    receiptNumber: "text",
    createdAt: "text",
    status: "text",
    paymentStatus: "text",
    fulfillmentStatus: "text",
    channel: "text",
    "customer.email": "text",
    "customer.firstName": "text",
    "customer.lastName": "text",
    currency: "text",
    pricesIncludeTax: "text",
    subtotalAmount: "number",
    discountAmount: "number",
    taxAmount: "number",
    roundingAmount: "number",
    totalAmount: "number",
    refundedAmount: "number",
    notes: "text",
    cancelReason: "text",
    cancelledAt: "text",
    "items.title": "text",
    "items.variantTitle": "text",
    "items.sku": "text",
    "items.quantity": "number",
    "items.unitPrice": "number",
    "items.discountAmount": "number",
    "items.taxRate": "number",
    "items.taxAmount": "number",
    "items.totalAmount": "number",
    "items.fulfilledQuantity": "number",
    "items.refundedQuantity": "number",
    "payments.method": "text",
    "payments.status": "text",
    "payments.amount": "number",
    "payments.refundedAmount": "number",
    "payments.reference": "text",
    "payments.processedAt": "text",
  },
  read: async (em, shopId, part) => {
    const sorted = { ...part, sort: OrderSort.CREATED_AT, order: SortOrder.DESC };
    const { items, nextCursor } = await listOrders(em, shopId, sorted, orderFields);
    return { rows: await rowsOfOrders(em, items), nextCursor };
  },
};

const orderFields = select(`orders {
  items {
    id orderNumber receiptNumber createdAt status paymentStatus fulfillmentStatus channel currency pricesIncludeTax
    subtotalAmount discountAmount taxAmount roundingAmount totalAmount refundedAmount notes cancelReason cancelledAt
  }
  nextCursor
}`);

async function rowsOfOrders(em: EntityManager, listed: readonly OrderRow[]): Promise<Row[]> {
  if (listed.length === 0) return [];
  const database = kysely(em);
  const [lines, payments] = [await loadOrderItems(database, listed), await loadPayments(database, listed)];
  const keys = listed.flatMap(({ shopId, customerId: id }) => (id === null ? [] : [{ shopId, id }]));
  const found = keys.length === 0 ? [] : await loadOrderCustomers(database, keys);
  const customerById = new Map(found.map((customer) => [customer?.id, customer]));
  return listed.flatMap(({ customerId, orderNumber, ...order }, index) => {
    const first = { ...order, ...prefixed("customer", customerById.get(customerId ?? undefined)) };
    const count = Math.max(lines[index]!.length, payments[index]!.length, 1);
    return Array.from({ length: count }, (_, row) => ({
      orderNumber,
      ...(row === 0 && first),
      ...prefixed("items", lines[index]![row]),
      ...prefixed("payments", payments[index]![row]),
    }));
  });
}

function prefixed(prefix: string, values: object | null | undefined): Row {
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [`${prefix}.${name}`, value]));
}

/** The selection of a field of `Shop`. */
function select(field: string): Selection {
  const [operation] = parse(`{ ${field} }`).definitions as [OperationDefinitionNode];
  const node = operation.selectionSet.selections[0] as FieldNode;
  return new Selection([node], {}, `export ${node.name.value}`);
}

/** The lists that can be exported, by their fields of `Shop`. */
export const exportedLists = { products, customers, orders };
