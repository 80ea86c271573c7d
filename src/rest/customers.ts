import { z } from "zod";
import { Permission } from "../core/model/permissions.ts";
import { graphql } from "./typed-document.ts";
import { pageQuery, paginate, paginationSchema, pageArguments } from "./pagination.ts";
import { defineRoute } from "./route.ts";
import { examples, idOf, money, timestamp } from "./schemas.ts";

const listedCustomer = z
  .strictObject({
    id: idOf("cus"),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    phone: z.string().nullable(),
    createdAt: timestamp,
  })
  .meta({ id: "ListedCustomer" });

const customer = listedCustomer
  .extend({
    updatedAt: timestamp,
    storeCreditBalance: money("The store credit available."),
    _count: z.strictObject({ orders: z.int().min(0).meta({ description: "The number of the customer's orders." }) }),
  })
  .meta({ id: "Customer" });

const example = {
  id: examples.cus,
  email: "ada@example.com",
  firstName: "Ada",
  lastName: "Example",
  phone: "+49 30 1234567",
  createdAt: "2025-11-03T14:05:12.000Z",
};

export const listCustomers = defineRoute({
  method: "GET",
  path: "/customers",
  operationId: "listCustomers",
  summary: "List customers",
  description: "The shop's customers, newest first.",
  tag: "Customers",
  permission: Permission.READ_CUSTOMERS,
  resource: "Shop",
  query: z.strictObject(pageQuery),
  document: graphql(`
    query ListCustomers($shopId: ID!, $page: Int, $after: String, $limit: Int!, $updatedSince: Timestamp) {
      shop(id: $shopId) {
        customers(page: $page, after: $after, limit: $limit, updatedSince: $updatedSince) {
          items {
            id
            email
            firstName
            lastName
            phone
            createdAt
          }
          total
          nextCursor
        }
      }
    }
  `),
  variables: ({ shopId, query: { limit, updatedSince }, position }) => ({
    shopId,
    limit,
    updatedSince,
    ...pageArguments(position),
  }),
  status: 200,
  response: z
    .strictObject({ customers: z.array(listedCustomer), pagination: paginationSchema })
    .meta({ id: "CustomerList" }),
  responseExample: { customers: [example], pagination: { page: 1, limit: 50, total: 1, pages: 1 } },
  shape: ({ shop }, { query, position }) =>
    shop && {
      customers: shop.customers.items,
      pagination: paginate(position, query.limit, shop.customers.total),
    },
  nextCursor: ({ shop }) => shop!.customers.nextCursor,
});

export const getCustomer = defineRoute({
  method: "GET",
  path: "/customers/{customerId}",
  operationId: "getCustomer",
  summary: "Retrieve a customer",
  description: "A customer with store credit and number of orders.",
  tag: "Customers",
  permission: Permission.READ_CUSTOMERS,
  resource: "Customer",
  query: z.strictObject({}),
  document: graphql(`
    query GetCustomer($shopId: ID!, $id: ID!) {
      shop(id: $shopId) {
        customer(id: $id) {
          id
          email
          firstName
          lastName
          phone
          createdAt
          updatedAt
          storeCreditBalance
          orderCount
        }
      }
    }
  `),
  variables: ({ shopId, id }) => ({ shopId, id }),
  status: 200,
  response: z.strictObject({ customer }).meta({ id: "CustomerAnswer" }),
  responseExample: {
    customer: { ...example, updatedAt: "2026-01-31T09:30:00.000Z", storeCreditBalance: 12.5, _count: { orders: 7 } },
  },
  shape: ({ shop }) => {
    if (!shop?.customer) return null;
    const { storeCreditBalance, orderCount, ...row } = shop.customer;
    return { customer: { ...row, storeCreditBalance: Number(storeCreditBalance), _count: { orders: orderCount } } };
  },
});
