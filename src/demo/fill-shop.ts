import type { EntityManager } from "@mikro-orm/postgresql";
import { Customer, StoreCreditEntry } from "../core/model/customers/customer.entity.ts";
import { customerSearchWords } from "../core/customers/search-words.ts";
import { OrderItem } from "../core/model/orders/order-item.entity.ts";
import { Order } from "../core/model/orders/order.entity.ts";
import { Payment, Refund, RefundPayment } from "../core/model/orders/payment.entity.ts";
import { AuditEntry } from "../core/model/shops/audit-entry.entity.ts";
import { databaseTime } from "../core/queries/database-time.ts";
import { NumberSequence } from "../core/model/orders/number-sequence.entity.ts";
import { FIRST_ORDER_NUMBER } from "../core/orders/numbers.ts";
import { slugOf } from "../core/products/handle.ts";
import { ProductStatus } from "../core/model/products/product.enums.ts";
import { Product, Variant } from "../core/model/products/product.entity.ts";
import { StockChange } from "../core/model/products/stock-change.entity.ts";
import { productSearchWords } from "../core/products/search-words.ts";
import type { Shop } from "../core/model/shops/shop.entity.ts";
import { newId } from "../core/model/ids.ts";
import { Big } from "../platform/money.ts";
import { makeCatalog } from "./catalog.ts";
import { makeOrder, makeStockChanges, type SoldVariant } from "./orders.ts";

const DAY = 86_400_000;
const HISTORY_DAYS = 540;
/** The days before the first order, so that it has products to sell. */
const QUIET_DAYS = 40;
const givenNames = ["Ada", "Ben", "Clara", "David", "Elif", "Finn", "Greta", "Hana", "Ivo", "Jana", "Karim", "Lena"];
const familyNames = [
  "Abel",
  "Berg",
  "Costa",
  "Dorn",
  "Engel",
  "Falk",
  "Gomez",
  "Hahn",
  "Ito",
  "Jansen",
  "Klein",
  "Lund",
];

export interface ShopSize {
  products: number;
  customers: number;
  orders: number;
}

/** Inserts past records directly into a shop's tables, so that no webhooks are sent. */
export async function fillShop(em: EntityManager, shop: Shop, size: ShopSize): Promise<void> {
  const random = seededRandom(7);
  const oldest = (await databaseTime(em)).getTime() - HISTORY_DAYS * DAY;
  const spread = (index: number, count: number, from = 0) =>
    new Date(oldest + (from + ((index + 0.5) / count) * (HISTORY_DAYS - from)) * DAY);
  const variants = await addProducts(em, shop, size.products, random, spread);
  const customerIds = await addCustomers(em, shop, size.customers, random, spread);
  const orders = Array.from({ length: size.orders }, (_, index) => {
    const createdAt = spread(index, size.orders, QUIET_DAYS);
    const forSale = variants.slice(0, Math.max(1, variants.filter((variant) => variant.createdAt < createdAt).length));
    return makeOrder({
      shop,
      number: index + 1,
      customerId: random() < 0.25 ? null : pick(customerIds, random),
      variants: Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(forSale, random).sold),
      createdAt,
      random,
    });
  });
  await em.insertMany(StockChange, makeStockChanges(variants, orders));
  await em.insertMany(
    Order,
    orders.map(({ order }) => order),
  );
  await em.insertMany(
    OrderItem,
    orders.flatMap(({ items }) => items),
  );
  await em.insertMany(
    Payment,
    orders.map(({ payment }) => payment),
  );
  await em.insertMany(
    Refund,
    orders.flatMap(({ refunds }) => refunds),
  );
  await em.insertMany(
    RefundPayment,
    orders.flatMap(({ refunds, payment }) =>
      refunds.map(({ id, amount }) => ({ shopId: shop.id, refundId: id, paymentId: payment.id, amount })),
    ),
  );
  await em.insertMany(
    AuditEntry,
    orders.flatMap(({ changes }) => changes),
  );
  // The next order continues these numbers.
  await em.insertMany(NumberSequence, [
    { shopId: shop.id, name: "ORDER", lastNumber: String(FIRST_ORDER_NUMBER + size.orders) },
    { shopId: shop.id, name: "RECEIPT", lastNumber: String(size.orders) },
  ]);
}

type Spread = (index: number, count: number) => Date;

/** Adds products, and returns their variants from the oldest. */
async function addProducts(em: EntityManager, shop: Shop, count: number, random: () => number, spread: Spread) {
  const catalog = makeCatalog(random).slice(0, count);
  const made = catalog.map((entry, index) => {
    const createdAt = spread(index, catalog.length);
    const handle = slugOf(entry.title);
    const product = {
      shopId: shop.id,
      id: newId("prod"),
      title: entry.title,
      handle,
      description: entry.description,
      optionNames: entry.optionNames,
      status: random() < 0.9 ? ProductStatus.ACTIVE : pick([ProductStatus.DRAFT, ProductStatus.ARCHIVED], random),
      searchWords: productSearchWords({ shopId: shop.id, title: entry.title, handle }, entry.variants),
      createdAt,
      updatedAt: createdAt,
    };
    const variants = entry.variants.map(({ cents, ...variant }, position) => ({
      shopId: shop.id,
      id: newId("var"),
      product: [shop.id, product.id] as [string, string],
      position: position + 1,
      ...variant,
      // With tax, as on a shelf: 12.49.
      price: new Big(cents)
        .minus(shop.pricesIncludeTax ? 1 : 0)
        .div(100)
        .toFixed(2),
      createdAt,
      updatedAt: createdAt,
    }));
    return { product, variants };
  });
  await em.insertMany(
    Product,
    made.map(({ product }) => product),
  );
  await em.insertMany(
    Variant,
    made.flatMap(({ variants }) => variants),
  );
  return made.flatMap(({ product, variants }) =>
    variants.map((variant) => ({ ...variant, productId: product.id, sold: snapshotOf(product, variant) })),
  );
}

type Titled = Pick<Variant, "id" | "title">;

const snapshotOf = (product: Titled, variant: Titled & Pick<Variant, "sku" | "price">): SoldVariant => ({
  productId: product.id,
  variantId: variant.id,
  title: product.title,
  variantTitle: variant.title,
  sku: variant.sku,
  unitPrice: variant.price,
});

async function addCustomers(
  em: EntityManager,
  shop: Shop,
  count: number,
  random: () => number,
  spread: Spread,
): Promise<string[]> {
  const customers = Array.from({ length: count }, (_, index) => {
    const firstName = pick(givenNames, random);
    const lastName = pick(familyNames, random);
    const createdAt = spread(index, count);
    const customer = {
      shopId: shop.id,
      id: newId("cus"),
      email: `${firstName}.${lastName}.${index + 1}@example.com`.toLowerCase(),
      firstName,
      lastName,
      phone: random() < 0.5 ? `+49 30 ${String(1_000_000 + index)}` : null,
      createdAt,
      updatedAt: createdAt,
    };
    return { ...customer, searchWords: customerSearchWords(customer) };
  });
  await em.insertMany(Customer, customers);
  const credited = customers.filter(() => random() < 0.1);
  await em.insertMany(
    StoreCreditEntry,
    credited.map((customer) => ({
      shopId: shop.id,
      id: newId("scr"),
      customer: [shop.id, customer.id] as [string, string],
      amount: new Big(500 + Math.floor(random() * 90) * 50).div(100).toFixed(2),
      reason: "Goodwill",
      createdAt: customer.createdAt,
    })),
  );
  return customers.map((customer) => customer.id);
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)]!;
}

/** Park and Miller's minimal standard generator: the same demo on every machine. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
