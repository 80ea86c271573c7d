import type { EntityManager } from "@mikro-orm/postgresql";
import { listCustomers } from "../customers/read-customers.ts";
import { customerColumns, productColumns } from "../csv/columns.ts";
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
  /** Reads a page of records, as the rows of the file. */
  read: (em: EntityManager, shopId: string, part: Part) => Promise<{ rows: CsvRow[]; nextCursor: string | null }>;
}

// Products and customers are sorted by what an import keeps, so that another export gives the same file.
const products: ExportedList = {
  permission: Permission.READ_PRODUCTS,
  columns: productColumns,
  read: async (em, shopId, part) => {
    const sorted = { ...part, sort: "handle", order: SortOrder.ASC } as const;
    const { items, nextCursor } = await listProducts(em, shopId, sorted, productFields);
    return { rows: items.flatMap(rowsOfProduct), nextCursor };
  },
};

const productFields = select(
  "products",
  "handle title description status optionNames variants { optionValues sku barcode price inventoryQuantity isStockTracked }",
);

/** A row for each variant. */
export function rowsOfProduct({ handle, variants, optionNames, ...product }: ShownProduct): CsvRow[] {
  return variants!.map(({ optionValues, ...variant }, index) => ({
    handle,
    ...(index === 0 && { ...product, ...numbered("Name", optionNames!) }),
    ...numbered("Value", optionValues!),
    ...variant,
  }));
}

/** The columns of options, such as `option1Name`. */
function numbered(name: "Name" | "Value", values: readonly string[]): CsvRow {
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

const customerFields = select("customers", `${customerColumns.join(" ")} erasedAt`);

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
  [orderColumns, ...[customerOfOrder, lineColumns, paymentColumns].map(nested)].join(" "),
);

function rowsOfOrder({ orderNumber, customer, items, payments, ...order }: OrderRow): CsvRow[] {
  const first = { ...order, ...prefixed("customer", customer) };
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
