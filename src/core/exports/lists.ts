import type { EntityManager } from "@mikro-orm/postgresql";
import { listCustomers } from "../customers/read-customers.ts";
import { customerColumns, METADATA, productColumns } from "../csv/columns.ts";
import type { IdPrefix } from "../model/ids.ts";
import type { Metadata } from "../model/metadata.entity.ts";
import { Permission } from "../model/permissions.ts";
import { SortOrder } from "../model/page.ts";
import { OrderSort } from "../model/orders/order.enums.ts";
import { listOrders, type OrderRow } from "../orders/read-orders.ts";
import { listProducts, type ShownProduct } from "../products/read-products.ts";
import { Selection } from "../queries/selection.ts";
import type { CsvRow } from "../csv/csv.ts";

/** A part of a list: the arguments of its field in GraphQL. */
interface Part {
  after: string | null;
  limit: number;
}

interface ExportedList {
  permission: Permission;
  columns: readonly string[];
  /** The kinds of records whose metadata follows, by the beginning of their columns. */
  metadata: Record<string, IdPrefix>;
  /** Reads a page of records, as the rows of the file. */
  read: (em: EntityManager, shopId: string, part: Part) => Promise<{ rows: CsvRow[]; nextCursor: string | null }>;
}

// Products and customers are sorted by what an import keeps, so that another export gives the same file.
const products: ExportedList = {
  permission: Permission.READ_PRODUCTS,
  columns: productColumns,
  metadata: { [METADATA.record]: "prod", [METADATA.variant]: "var" },
  read: async (em, shopId, part) => {
    const sorted = { ...part, sort: "handle", order: SortOrder.ASC } as const;
    const { items, nextCursor } = await listProducts(em, shopId, sorted, productFields);
    return { rows: items.flatMap(rowsOfProduct), nextCursor };
  },
};

const productFields = select(
  "products",
  "handle title description status optionNames metadata { key value } variants { optionValues sku barcode price inventoryQuantity isStockTracked metadata { key value } }",
);

/** A row for each variant. */
export function rowsOfProduct({ handle, variants, optionNames, metadata, ...product }: ShownProduct): CsvRow[] {
  return variants!.map(({ optionValues, metadata: own, ...variant }, index) => ({
    handle,
    ...(index === 0 && { ...product, ...numbered("Name", optionNames!), ...cellsOf(METADATA.record, metadata) }),
    ...numbered("Value", optionValues!),
    ...variant,
    ...cellsOf(METADATA.variant, own),
  }));
}

/** The columns of options, such as `option1Name`. */
function numbered(name: "Name" | "Value", values: readonly string[]): CsvRow {
  return Object.fromEntries(values.map((value, index) => [`option${index + 1}${name}`, value]));
}

/** The columns of metadata, such as `metadata.erp_id`. */
const cellsOf = (start: string, metadata: readonly Metadata[] = []): CsvRow =>
  Object.fromEntries(metadata.map(({ key, value }) => [start + key, value]));

const customers: ExportedList = {
  permission: Permission.READ_CUSTOMERS,
  columns: customerColumns,
  metadata: { [METADATA.record]: "cus" },
  read: async (em, shopId, part) => {
    const sorted = { ...part, sort: "email", order: SortOrder.ASC } as const;
    const { items, nextCursor } = await listCustomers(em, shopId, sorted, customerFields);
    const rows = items.filter(({ erasedAt }) => erasedAt === null);
    return { rows: rows.map((row) => ({ ...row, ...cellsOf(METADATA.record, row.metadata) })), nextCursor };
  },
};

const customerFields = select("customers", `${customerColumns.join(" ")} erasedAt metadata { key value }`);

const orderColumns =
  "orderNumber id receiptNumber createdAt status paymentStatus fulfillmentStatus channel currency pricesIncludeTax subtotalAmount discountAmount taxAmount roundingAmount totalAmount refundedAmount notes cancelReason cancelledAt";
const customerOfOrder = "customer.email customer.firstName customer.lastName";
const lineColumns =
  "items.title items.variantTitle items.sku items.quantity items.unitPrice items.discountAmount items.taxRate items.taxAmount items.totalAmount items.fulfilledQuantity items.refundedQuantity";
const paymentColumns =
  "payments.method payments.status payments.amount payments.refundedAmount payments.reference payments.processedAt";

/** The order is in its first row alone, but for the number. The other rows have its further lines and payments. */
const orders: ExportedList = {
  permission: Permission.READ_ORDERS,
  metadata: { [METADATA.record]: "ord" },
  columns: [orderColumns, customerOfOrder, lineColumns, paymentColumns].join(" ").split(" "),
  read: async (em, shopId, part) => {
    const sorted = { ...part, sort: OrderSort.CREATED_AT, order: SortOrder.DESC };
    const { items, nextCursor } = await listOrders(em, shopId, sorted, orderFields);
    return { rows: items.flatMap(rowsOfOrder), nextCursor };
  },
};

/** Such as `customer { email firstName }`. */
const nested = (columns: string) => `${columns.split(".")[0]} { ${columns.replaceAll(/\w+\./g, "")} }`;

const orderFields = select(
  "orders",
  [orderColumns, "metadata { key value }", ...[customerOfOrder, lineColumns, paymentColumns].map(nested)].join(" "),
);

function rowsOfOrder({ orderNumber, customer, items, payments, metadata, ...order }: OrderRow): CsvRow[] {
  const first = { ...order, ...prefixed("customer", customer), ...cellsOf(METADATA.record, metadata) };
  const count = Math.max(items!.length, payments!.length, 1);
  return Array.from({ length: count }, (_, row) => ({
    orderNumber,
    ...(row === 0 && first),
    ...prefixed("items", items![row]),
    ...prefixed("payments", payments![row]),
  }));
}

function prefixed(prefix: string, values: object | null | undefined): CsvRow {
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [`${prefix}.${name}`, value]));
}

function select(list: string, fields: string): Selection {
  return Selection.of(`items { ${fields} } nextCursor`, `export ${list}`);
}

/** The lists that can be exported, by their fields of `Shop`. */
export const exportedLists = { products, customers, orders };
