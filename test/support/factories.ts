import { argon2Sync, randomBytes } from "node:crypto";
import type { EntityManager } from "@mikro-orm/postgresql";
import { operator } from "../../src/core/access/actor.ts";
import { AuditEntry } from "../../src/core/model/shops/audit-entry.entity.ts";
import { createApiKey } from "../../src/core/credentials/api-keys/api-keys.ts";
import { Customer, StoreCreditEntry } from "../../src/core/model/customers/customer.entity.ts";
import { customerSearchWords } from "../../src/core/customers/search-words.ts";
import { OrderItem } from "../../src/core/model/orders/order-item.entity.ts";
import {
  Channel,
  FulfillmentStatus,
  OrderStatus,
  OrderPaymentStatus,
} from "../../src/core/model/orders/order.enums.ts";
import { Order } from "../../src/core/model/orders/order.entity.ts";
import { PaymentMethod, PaymentStatus } from "../../src/core/model/orders/payment.enums.ts";
import { Payment } from "../../src/core/model/orders/payment.entity.ts";
import { SCOPES, type Scope } from "../../src/core/model/permissions.ts";
import { createProduct, type CreatedProduct } from "../../src/core/products/create-product.ts";
import { ProductStatus } from "../../src/core/model/products/product.enums.ts";
import { Product, Variant } from "../../src/core/model/products/product.entity.ts";
import { productSearchWords } from "../../src/core/products/search-words.ts";
import { createShop } from "../../src/core/shops/create-shop.ts";
import type { CurrentShop } from "../../src/core/model/shops/current-shop.ts";
import { Plan, type Shop } from "../../src/core/model/shops/shop.entity.ts";
import { createAccount, joinShop } from "../../src/core/staff/accounts/account.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { createWebhookEndpoint } from "../../src/core/webhooks/endpoints/endpoints.ts";
import type { Topic } from "../../src/core/model/webhooks/topics.ts";
import type { WebhookEndpoint } from "../../src/core/model/webhooks/webhook-endpoint.entity.ts";
import { newId } from "../../src/core/model/ids.ts";
import type { TestServer } from "./server.ts";
import { transactional } from "../../src/core/queries/transaction.ts";

/** A shop with an empty audit log, so that it only has the test's own changes. */
export async function buildShop(
  em: EntityManager,
  overrides: Partial<Parameters<typeof createShop>[2]> = {},
): Promise<CurrentShop> {
  const shop = await createShop(em, operator, {
    name: "Test Shop",
    plan: Plan.ENTERPRISE,
    currency: "EUR",
    ...overrides,
  });
  await em.fork().nativeDelete(AuditEntry, { shopId: shop.id });
  return { ...shop, trialHasEnded: false };
}

/** The secret of a new key; every scope of the plan by default. */
export async function buildKey(em: EntityManager, shop: Shop, scopes: readonly Scope[] = SCOPES): Promise<string> {
  const { secret } = await createApiKey({ em, shop, actor: operator }, { name: "Test key", scopes: [...scopes] });
  return secret;
}

export interface ProductOverrides {
  title?: string;
  status?: ProductStatus;
  price?: string;
  sku?: string;
  inventoryQuantity?: number;
}

/** A product with one variant. */
export async function buildProduct(
  em: EntityManager,
  shop: Shop,
  { title = "Test product", status, price = "10.00", ...variant }: ProductOverrides = {},
): Promise<CreatedProduct> {
  return createProduct({ em, shop, actor: operator }, { title, status, variants: [{ price, ...variant }] });
}

export interface ImportedProductOverrides extends Partial<Omit<Row<Product>, "searchWords">> {
  variants?: Partial<Row<Variant>>[];
}

/** A product like those of other tools, with a description, several variants and barcodes. */
export async function importProduct(em: EntityManager, shop: Shop, overrides: ImportedProductOverrides = {}) {
  const { variants = [{}], ...rest } = overrides;
  const id = newId("prod");
  const timestamps = { createdAt: LONG_AGO, updatedAt: LONG_AGO };
  const product = {
    shopId: shop.id,
    id,
    title: "Imported product",
    handle: id.replace("_", "-"),
    description: null,
    status: ProductStatus.ACTIVE,
    ...timestamps,
    ...rest,
  };
  const variantRows = variants.map((variant, index) => ({
    id: newId("var"),
    position: index + 1,
    title: "Default Title",
    sku: "",
    barcode: "",
    price: "10.00",
    inventoryQuantity: 0,
    ...timestamps,
    ...variant,
    shopId: shop.id,
    product: [shop.id, product.id] as [string, string],
  }));
  const writer = em.fork();
  await writer.insert(Product, { ...product, searchWords: productSearchWords(product, variantRows) });
  await writer.insertMany(Variant, variantRows);
  return { ...product, variants: variantRows };
}

export interface TestStaff {
  id: string;
  email: string;
  password: string;
}

/** A person with a role in the shop, and the password to log in with. */
export async function buildStaff(
  em: EntityManager,
  shop: Shop,
  role: Role = Role.OWNER,
  password: string = randomBytes(12).toString("base64url"),
): Promise<TestStaff> {
  const email = `staff-${randomBytes(6).toString("hex")}@example.com`;
  const { id } = await transactional(em, async (transaction) => {
    const staff = await createAccount(transaction, { email, passwordHash: hashCheaply(password) });
    await joinShop(transaction, shop.id, staff, role);
    return staff;
  });
  return { id, email, password };
}

/** A hash contains its parameters. Logging in with this one takes a millisecond. */
function hashCheaply(message: string): string {
  const nonce = randomBytes(16);
  const tag = argon2Sync("argon2id", { message, nonce, memory: 8, passes: 1, parallelism: 1, tagLength: 32 });
  return `$argon2id$v=19$m=8,t=1,p=1$${nonce.toString("base64")}$${tag.toString("base64")}`;
}

/** An endpoint on loopback, even if the server's configuration refuses it, and its signing secret. */
export async function buildEndpoint(
  { app, em }: TestServer,
  shop: Shop,
  url: string,
  topics: Topic[] = ["product.created"],
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const { encryption } = app.core;
  return createWebhookEndpoint(
    { em, shop, actor: operator },
    { encryption, webhooksAllowLoopback: true },
    { url, topics },
  );
}

const LONG_AGO = new Date("2026-01-31T09:30:00.000Z");

type Scalar = string | number | Date | null;

/** The columns of an entity's row without references. */
type Row<Entity> = {
  [Name in keyof Entity & string as Entity[Name] extends Scalar ? Exclude<Name, "shopId"> : never]: Entity[Name];
};

export async function buildCustomer(
  em: EntityManager,
  shop: Shop,
  overrides: Partial<Omit<Row<Customer>, "searchWords" | "editedVersion">> = {},
) {
  const customer: Omit<Row<Customer>, "searchWords" | "editedVersion"> & Key = {
    shopId: shop.id,
    id: newId("cus"),
    note: null,
    version: 1,
    email: `customer-${randomBytes(6).toString("hex")}@example.com`,
    firstName: "Ada",
    lastName: "Example",
    phone: null,
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
    erasedAt: null,
    ...overrides,
  };
  await em.fork().insert(Customer, { ...customer, searchWords: customerSearchWords(customer) });
  return customer;
}

/** One line of the customer's store credit: positive when granted, negative when spent. */
export async function grantStoreCredit(em: EntityManager, customer: Key, amount: string): Promise<void> {
  await em.fork().insert(StoreCreditEntry, {
    shopId: customer.shopId,
    id: newId("scr"),
    customer: [customer.shopId, customer.id],
    amount,
    reason: "Test",
    createdAt: LONG_AGO,
  });
}

/** The key of a row of a shop. */
interface Key {
  shopId: string;
  id: string;
}

export interface OrderOverrides extends Partial<Row<Order>> {
  customer?: Key | null;
  items?: Partial<Row<OrderItem>>[];
  payments?: Partial<Row<Payment>>[];
}

/** An order with the given lines and payments, or one of each; without a customer by default. */
export async function buildOrder(em: EntityManager, shop: Shop, overrides: OrderOverrides = {}) {
  const { customer = null, items = [{}], payments = [{}], ...rest } = overrides;
  const order = { ...orderRow(shop), ...rest };
  const key: [string, string] = [shop.id, order.id];
  const itemRows = items.map((item, index) => ({ ...itemRow(index + 1), ...item, shopId: shop.id, order: key }));
  const paymentRows = payments.map((payment) => ({ ...paymentRow(shop), ...payment, shopId: shop.id, order: key }));
  const writer = em.fork();
  await writer.insert(Order, { ...order, customer: customer && [customer.shopId, customer.id] });
  if (itemRows.length > 0) await writer.insertMany(OrderItem, itemRows);
  if (paymentRows.length > 0) await writer.insertMany(Payment, paymentRows);
  return { ...order, items: itemRows, payments: paymentRows };
}

function orderRow(shop: Shop): Row<Order> & Key {
  return {
    shopId: shop.id,
    id: newId("ord"),
    orderNumber: randomBytes(4).toString("hex"),
    receiptNumber: null,
    status: OrderStatus.CONFIRMED,
    paymentStatus: OrderPaymentStatus.PAID,
    fulfillmentStatus: FulfillmentStatus.FULFILLED,
    channel: Channel.POS,
    currency: shop.currency,
    subtotalAmount: "10.00",
    discountAmount: "0",
    taxAmount: "1.90",
    roundingAmount: "0",
    totalAmount: "11.90",
    refundedAmount: "0",
    overpaidAmount: "0",
    notes: null,
    cancelReason: null,
    cancelledAt: null,
    version: 1,
    createdBy: null,
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
  };
}

function itemRow(position: number): Row<OrderItem> {
  return {
    id: newId("itm"),
    position,
    productId: newId("prod"),
    variantId: newId("var"),
    title: "Test product",
    variantTitle: "Default Title",
    sku: "",
    quantity: 1,
    unitPrice: "10.00",
    discountAmount: "0",
    taxAmount: "1.90",
    taxRate: "19",
    totalAmount: "11.90",
    fulfilledQuantity: 0,
    refundedQuantity: 0,
    refundedAmount: "0",
    restockedQuantity: 0,
  };
}

function paymentRow(shop: Shop): Row<Payment> {
  return {
    id: newId("pay"),
    method: PaymentMethod.CARD,
    status: PaymentStatus.CAPTURED,
    amount: "11.90",
    tendered: null,
    refundedAmount: "0",
    roundingAmount: "0",
    refundedRoundingAmount: "0",
    currency: shop.currency,
    reference: null,
    actorId: null,
    processedAt: LONG_AGO,
    createdAt: LONG_AGO,
  };
}
