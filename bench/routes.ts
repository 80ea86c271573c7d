import type autocannon from "autocannon";
import type { BenchData, BenchShop } from "./fill/shop.ts";
import { idOf, things, titleWords, variantsOf } from "./fill/names.ts";

/** Requests whose cost is measured. */
export interface Measured {
  name: string;
  title: string;
  /** Makes the requests that one connection repeats. */
  requests: () => autocannon.Request[];
}

/** How many different records the requests of a connection ask for. */
const RECORDS = 500;

const reading = (key: string) => ({ accept: "application/json", authorization: `Bearer ${key}` });

export function get({ id, key }: Pick<BenchShop, "id" | "key">, path: string): autocannon.Request {
  return { method: "GET", path: `/api/v1/${id}${path}`, headers: reading(key) };
}

/** Asks for random records of a shop. */
const each = (shop: BenchShop, path: (number: number) => string) => () =>
  Array.from({ length: RECORDS }, () => get(shop, path(shop.first + Math.floor(Math.random() * shop.count))));

let created = 0;

/** Creates a product. Its title is unique, as most are. */
export function create({ id, key }: BenchShop): autocannon.Request {
  return {
    method: "POST",
    path: `/api/v1/${id}/products`,
    headers: { ...reading(key), "content-type": "application/json" },
    setupRequest: (request) => ({ ...request, body: newProductBody() }),
  };
}

export function newProductBody(): string {
  created += 1;
  return JSON.stringify({ title: `New Mug No. ${created}`, price: 14.5, sku: `NEW-${created}`, inventoryQuantity: 40 });
}

/** The routes that all servers have. */
export function yardsticks({ read, write }: BenchData): Measured[] {
  return [
    {
      name: "yardstick/list-50",
      title: "List of 50 with variants and total",
      requests: () => [get(read, "/products?limit=50")],
    },
    { name: "yardstick/list-250", title: "List of 250", requests: () => [get(read, "/products?limit=250")] },
    { name: "yardstick/single", title: "One product", requests: each(read, (n) => `/products/${idOf("prod", n)}`) },
    {
      name: "yardstick/create",
      title: "Create, with event, delivery and job",
      requests: () => [create(write)],
    },
  ];
}

const search = (words: string) => `/products?search=${encodeURIComponent(words)}`;

/** Every v1 route. */
export function routes({ measured: shop }: Pick<BenchData, "measured">): Measured[] {
  const { first, count } = shop;
  const wordsOf = (number: number) => titleWords(number - first, count).join(" ");
  const broad = things[0]!.toLowerCase();
  return [
    { name: "route/first-page", title: "First page of 50 products", requests: () => [get(shop, "/products")] },
    { name: "route/page-250", title: "First page of 250", requests: () => [get(shop, "/products?limit=250")] },
    { name: "route/walk", title: "Walk by `Link: next`", requests: () => [walk(shop)] },
    {
      name: "route/last-page",
      title: "Last page, by number",
      requests: () => [get(shop, `/products?page=${count / 50}`)],
    },
    { name: "route/product", title: "One product", requests: each(shop, (n) => `/products/${idOf("prod", n)}`) },
    {
      name: "route/search-sku",
      title: "Search: a whole SKU",
      requests: each(shop, (n) => search(variantsOf(n)[0]!.sku)),
    },
    {
      name: "route/search-barcode",
      title: "Search: a barcode",
      requests: each(shop, (n) => search(variantsOf(n)[0]!.barcode)),
    },
    {
      name: "route/search-words",
      title: "Search: two words, 100 hits",
      requests: each(shop, (n) => search(wordsOf(n))),
    },
    {
      name: "route/search-broad",
      title: "Search: an eighth of all products",
      requests: () => [get(shop, search(broad))],
    },
    { name: "route/create", title: "Create a product", requests: () => [create(shop)] },
    { name: "route/orders", title: "First page of 50 orders", requests: () => [get(shop, "/orders")] },
    {
      name: "route/order",
      title: "One order, two lines and a payment",
      requests: each(shop, (n) => `/orders/${idOf("ord", n)}`),
    },
    { name: "route/customers", title: "First page of 50 customers", requests: () => [get(shop, "/customers")] },
    { name: "route/customer", title: "One customer", requests: each(shop, (n) => `/customers/${idOf("cus", n)}`) },
  ];
}

/** Follows the links from the middle of the list, and from the first page after the last. Goes on in the next turn. */
function walk(shop: BenchShop): autocannon.Request {
  const start = get(shop, `/products?page=${Math.ceil(shop.count / 100)}`);
  const positions = walks.get(shop.id) ?? { path: start.path! };
  walks.set(shop.id, positions);
  return {
    ...start,
    setupRequest: (request) => ({ ...request, path: positions.path }),
    onResponse: (_status, _body, _context, headers) => {
      const links = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === "link")?.[1];
      const next = /<([^>]+)>; rel="next"/.exec(String(links))?.[1];
      positions.path = next?.replace(/^https?:\/\/[^/]+/, "") ?? get(shop, "/products").path!;
    },
  };
}

const walks = new Map<string, { path: string }>();

/** The requests of a busy shop, for memory. */
export function mixedLoad(data: BenchData): Measured {
  const chosen = routes(data).filter(({ name }) => !/broad|last-page|walk/.test(name));
  const requests = () => chosen.flatMap((route) => route.requests().slice(0, 5));
  return { name: "memory", title: "Mixed load", requests };
}
