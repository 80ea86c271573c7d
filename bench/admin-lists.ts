import type autocannon from "autocannon";
import type { FullShop } from "./fill/shop.ts";
import { customerNames, emailOf, idOf, phoneOf, receiptOf, things } from "./fill/names.ts";
import type { Measured } from "./routes.ts";

// The lists of Admin, with the fields that its pages show.

const DAY = 24 * 3_600_000;

const fields = {
  products: "id title status updatedAt variants { price inventoryQuantity }",
  lowStock: "id title sku inventoryQuantity productId productTitle",
  stockChanges: "reason note orderId actorName variantId productTitle variantTitle",
  customers: "id email firstName lastName phone createdAt",
  orders: `id orderNumber receiptNumber status paymentStatus fulfillmentStatus channel createdAt currency totalAmount
    customer { id email firstName lastName }`,
  webhookDeliveries: `id eventId topic status isTest errorClass responseStatus attemptCount nextAttemptAt waitsFor
    createdAt endpoint { id url } deletedEndpoint { url }`,
  requests: "id requestId createdAt method path status durationMs apiKeyId apiKey { name lastCharacters }",
  auditLog: `id action actorId actorKind actorName address createdAt details { name value } targetId targetName
    userAgent`,
};

type List = keyof typeof fields;
/** The lists whose pages show the total. */
const counted = new Set<List>(["products", "customers", "orders", "webhookDeliveries"]);

/** Filters by what they find. They are GraphQL arguments. */
type Filters = Record<string, string>;

function filtersOf(shop: FullShop): Record<List, Filters> {
  return { ...filtersOfRecords(shop), ...filtersOfLogs(shop) };
}

const daysAgo = (days: number) => `"${new Date(Date.now() - days * DAY).toISOString()}"`;
/** A place in the middle of the lists. */
const placeIn = ({ count }: FullShop) => Math.floor(count / 3);

function filtersOfRecords(shop: FullShop) {
  const place = placeIn(shop);
  const number = shop.first + place;
  const [firstName, lastName] = customerNames(place);
  return {
    products: {
      newest: "",
      "by title": "sort: TITLE, order: ASC",
      "by last change": "sort: UPDATED_AT",
      "an eighth of all": `search: "${things[0]}"`,
      archived: "status: ARCHIVED",
    },
    lowStock: { "": "atMost: 5" },
    stockChanges: { newest: "", "of a product": `productId: "${idOf("prod", number)}"` },
    customers: {
      newest: "",
      "by last name": "sort: LAST_NAME, order: ASC",
      "with a name": `search: "${firstName} ${lastName}"`,
      "with a first name": `search: "${firstName}"`,
      "with a phone number": `search: "${phoneOf(place)}"`,
      "with an email address": `search: "${emailOf(place)}"`,
    },
    orders: {
      newest: "",
      "largest first": "sort: TOTAL_AMOUNT",
      "of an email address": `search: "${emailOf(place)}"`,
      "with a receipt number": `search: "${receiptOf(place)}"`,
      "of a customer": `customerId: "${idOf("cus", number)}"`,
      cancelled: "status: CANCELLED",
      unpaid: "paymentStatus: UNPAID",
      unfulfilled: "fulfillmentStatus: UNFULFILLED",
      "of a day": `createdSince: ${daysAgo(1)}`,
    },
  };
}

function filtersOfLogs(shop: FullShop) {
  const { endpointIds, keyId, first } = shop;
  const place = placeIn(shop);
  const number = first + place;
  return {
    webhookDeliveries: {
      newest: "",
      failed: "statuses: [FAILED]",
      pending: "statuses: [PENDING]",
      succeeded: "statuses: [SUCCEEDED]",
      "of an endpoint": `endpointId: "${endpointIds[0]}"`,
      "of a common topic": 'topic: "order.paid"',
      "of a rare topic": 'topic: "customer.updated"',
      "of an event": `eventId: "${idOf("evt", number)}"`,
      "with an error class": "errorClass: TIMEOUT",
      "failed, of an endpoint": `statuses: [FAILED], endpointId: "${endpointIds[1]}"`,
      "of a day": `createdSince: ${daysAgo(1)}`,
    },
    requests: {
      newest: "",
      "of a key": `apiKeyId: "${keyId}"`,
      "with status 404": "status: 404",
      "with a server error": "statusClass: 5",
      "to a route": 'path: "/products"',
      "to a path": `path: "/products/${idOf("prod", number)}"`,
    },
    auditLog: {
      newest: "",
      "with a rare action": "actions: [API_KEY_CREATED]",
      "with a common action": "actions: [ORDER_FULFILLED]",
      "of an actor": `actorId: "${idOf("stf", place % 5)}"`,
      "about a record": `targetId: "${idOf("ord", number)}"`,
      "of a day": `createdSince: ${daysAgo(1)}`,
    },
  };
}

const titles: Record<List, string> = {
  products: "Products",
  lowStock: "Low stock",
  stockChanges: "Stock history",
  customers: "Customers",
  orders: "Orders",
  webhookDeliveries: "Deliveries",
  requests: "Requests",
  auditLog: "Audit log",
};

export function adminLists(shop: FullShop): Measured[] {
  return Object.entries(filtersOf(shop)).flatMap(([list, filters]) =>
    Object.entries(filters).map(([filter, text]) => {
      const title = [titles[list as List], filter].filter(Boolean).join(", ");
      const name = `admin/${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
      return { name, title, requests: () => [ask(shop, list as List, text)] };
    }),
  );
}

function ask({ id, session }: FullShop, list: List, filter: string): autocannon.Request {
  const query = `query ($id: ID!) { shop(id: $id) { ${list}(limit: 50${filter && `, ${filter}`}) {
    ${counted.has(list) ? "total" : ""} nextCursor items { ${fields[list]} } } } }`;
  return {
    method: "POST",
    path: "/graphql",
    headers: { cookie: `session=${session}`, "content-type": "application/json" },
    body: JSON.stringify({ query, variables: { id } }),
  };
}
