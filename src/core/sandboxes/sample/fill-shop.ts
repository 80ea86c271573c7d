import type { EntityClass, EntityManager, RequiredEntityData } from "@mikro-orm/postgresql";
import { Customer, StoreCreditEntry } from "../../model/customers/customer.entity.ts";
import { customerSearchWords } from "../../customers/search-words.ts";
import { OrderItem } from "../../model/orders/order-item.entity.ts";
import { Order } from "../../model/orders/order.entity.ts";
import { Payment, Refund, RefundPayment } from "../../model/orders/payment.entity.ts";
import { AuditEntry } from "../../model/shops/audit-entry.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { NumberSequence } from "../../model/orders/number-sequence.entity.ts";
import { FIRST_ORDER_NUMBER } from "../../orders/numbers.ts";
import { slugOf } from "../../products/handle.ts";
import { ProductStatus } from "../../model/products/product.enums.ts";
import { Product, Variant } from "../../model/products/product.entity.ts";
import { StockChange } from "../../model/products/stock-change.entity.ts";
import { productSearchWords } from "../../products/search-words.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import { newId } from "../../model/ids.ts";
import { Big, inCurrency } from "../../../platform/money.ts";
import { makeCatalog } from "./catalog.ts";
import { makeOrder, makeStockChanges, type SoldVariant, type Stocked } from "./sample-orders.ts";

const DAY = 86_400_000;
/** The days before the first order, so that it has products to sell: at most this number, and this part. */
const QUIET_DAYS = 40;
const QUIET_PART = 0.25;
const givenNames = "Ada Ben Clara David Elif Finn Greta Hana Ivo Jana Karim Lena".split(" ");
const familyNames = "Abel Berg Costa Dorn Engel Falk Gomez Hahn Ito Jansen Klein Lund".split(" ");

export interface ShopSize {
  products: number;
  customers: number;
  orders: number;
  /** The length of the history. */
  days?: number;
}

/** Inserts past records directly into a shop's tables, so that no webhooks are sent. */
export async function fillShop(em: EntityManager, shop: Shop, size: ShopSize): Promise<void> {
  const history = await createHistory(em, size);
  const variants = await addProducts(em, shop, size.products, history);
  await addSales(em, shop, size, { variants, history });
}

/** Random numbers, the same on every machine, and times from the beginning of a history to now. */
export async function createHistory(em: EntityManager, { days = 540 }: Pick<ShopSize, "days">) {
  const oldest = (await databaseTime(em)).getTime() - days * DAY;
  const quietDays = Math.min(QUIET_DAYS, days * QUIET_PART);
  const spread = (index: number, count: number, from = 0) =>
    new Date(oldest + (from + ((index + 0.5) / count) * (days - from)) * DAY);
  return { random: seededRandom(7), beginsAt: new Date(oldest), quietDays, spread };
}

type History = Awaited<ReturnType<typeof createHistory>>;

/** A variant with its present stock. */
export interface StockedVariant extends Stocked {
  /** What orders store of it. Undefined if it is not for sale. */
  sold: SoldVariant | undefined;
}

/** Inserts customers, their orders of variants, which are in order of time, and the stock history of these. */
export async function addSales(
  em: EntityManager,
  shop: Shop,
  size: Omit<ShopSize, "products">,
  { variants, history }: { variants: readonly StockedVariant[]; history: History },
): Promise<void> {
  const { random, quietDays, spread } = history;
  const customerIds = await addCustomers(em, shop, size.customers, history);
  const sequence = await em.findOne(NumberSequence, { shopId: shop.id, name: "ORDER" }, { disableIdentityMap: true });
  const last = sequence ? Number(sequence.lastNumber) - FIRST_ORDER_NUMBER : 0;
  const sellable = variants.flatMap(({ sold, createdAt }) => (sold ? [{ sold, createdAt }] : []));
  const orders = Array.from({ length: sellable.length > 0 ? size.orders : 0 }, (_, index) => {
    const createdAt = spread(index, size.orders, quietDays);
    const forSale = sellable.slice(0, Math.max(1, sellable.filter((variant) => variant.createdAt < createdAt).length));
    return makeOrder({
      shop,
      number: last + index + 1,
      customerId: random() < 0.25 ? null : pick(customerIds, random),
      variants: Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(forSale, random).sold),
      createdAt,
      random,
    });
  });
  await em.insertMany(StockChange, makeStockChanges(variants, orders));
  const insert = <Row extends object>(
    entity: EntityClass<Row>,
    rowsOf: (made: (typeof orders)[number]) => RequiredEntityData<Row>[],
  ) => em.insertMany(entity, orders.flatMap(rowsOf));
  await insert(Order, ({ order }) => [order]);
  await insert(OrderItem, ({ items }) => items);
  await insert(Payment, ({ payment }) => [payment]);
  await insert(Refund, ({ refunds }) => refunds);
  await insert(RefundPayment, ({ refunds, payment }) =>
    refunds.map(({ id, amount }) => ({ shopId: shop.id, refundId: id, paymentId: payment.id, amount })),
  );
  await insert(AuditEntry, ({ changes }) => changes);
  // The next order continues these numbers.
  if (orders.length === 0) return;
  await em.upsertMany(NumberSequence, [
    { shopId: shop.id, name: "ORDER", lastNumber: String(FIRST_ORDER_NUMBER + last + orders.length) },
    { shopId: shop.id, name: "RECEIPT", lastNumber: String(last + orders.length) },
  ]);
}

/** Adds products, and returns their variants from the oldest. */
async function addProducts(em: EntityManager, shop: Shop, count: number, { random, spread }: History) {
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
      price: ofSmallestUnits(cents - (shop.pricesIncludeTax ? 1 : 0), shop),
      createdAt,
      updatedAt: createdAt,
    }));
    return { product, variants };
  });
  const products = made.map(({ product }) => product);
  const allVariants = made.flatMap(({ variants }) => variants);
  await em.insertMany(Product, products);
  await em.insertMany(Variant, allVariants);
  return made.flatMap(({ product, variants }) =>
    variants.map((variant) => ({ ...variant, productId: product.id, sold: snapshotOf(product, variant) })),
  );
}

type Titled = Pick<Variant, "id" | "title">;

const ofSmallestUnits = (amount: number, shop: Shop) =>
  inCurrency(new Big(amount).div(new Big(10).pow(shop.currencyDecimals)), shop);

export const snapshotOf = (product: Titled, variant: Titled & Pick<Variant, "sku" | "price">): SoldVariant => ({
  productId: product.id,
  variantId: variant.id,
  title: product.title,
  variantTitle: variant.title,
  sku: variant.sku,
  unitPrice: variant.price,
});

async function addCustomers(em: EntityManager, shop: Shop, count: number, { random, spread }: History) {
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
      amount: ofSmallestUnits(500 + Math.floor(random() * 90) * 50, shop),
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
