import { queryOptions } from "@tanstack/react-query";
import type { ResultOf, VariablesOf } from "gql.tada";
import { found, graphql, request, type RequestOptions } from "../request.ts";
import { copy } from "./copy.ts";

const Customers = graphql(`
  query Customers($shopId: ID!, $after: String, $search: String, $sort: CustomerSort!, $order: SortOrder!) {
    shop(id: $shopId) {
      customers(after: $after, limit: 50, search: $search, sort: $sort, order: $order) {
        nextCursor
        total
        items {
          id
          email
          firstName
          lastName
          phone
          orderCount
          storeCreditBalance
          createdAt
        }
      }
    }
  }
`);

const Customer = graphql(`
  query Customer($shopId: ID!, $id: ID!) {
    shop(id: $shopId) {
      customer(id: $id) {
        id
        version
        email
        firstName
        lastName
        phone
        note
        orderCount
        createdAt
        updatedAt
        erasedAt
        metadata {
          key
          value
        }
        storeCreditBalance
        storeCreditEntries(limit: 50) {
          id
          amount
          reason
          orderId
          orderNumber
          actorName
          createdAt
        }
      }
    }
  }
`);

export const CreateCustomer = graphql(`
  mutation CreateCustomer($shopId: ID!, $idempotencyKey: String, $input: CreateCustomerInput!) {
    createCustomer(shopId: $shopId, idempotencyKey: $idempotencyKey, input: $input) {
      id
    }
  }
`);

export const UpdateCustomer = graphql(`
  mutation UpdateCustomer($shopId: ID!, $id: ID!, $expectedVersion: Int, $input: UpdateCustomerInput!) {
    updateCustomer(shopId: $shopId, id: $id, expectedVersion: $expectedVersion, input: $input) {
      id
    }
  }
`);

export const EraseCustomer = graphql(`
  mutation EraseCustomer($shopId: ID!, $id: ID!, $idempotencyKey: String, $input: EraseCustomerInput!) {
    eraseCustomer(shopId: $shopId, id: $id, idempotencyKey: $idempotencyKey, input: $input) {
      id
    }
  }
`);

export const ExportCustomer = graphql(`
  mutation ExportCustomer($shopId: ID!, $id: ID!) {
    exportCustomer(shopId: $shopId, id: $id)
  }
`);

export const GrantStoreCredit = graphql(`
  mutation GrantStoreCredit($shopId: ID!, $customerId: ID!, $idempotencyKey: String, $input: StoreCreditInput!) {
    grantStoreCredit(shopId: $shopId, customerId: $customerId, idempotencyKey: $idempotencyKey, input: $input) {
      id
    }
  }
`);

export const SpendStoreCredit = graphql(`
  mutation SpendStoreCredit($shopId: ID!, $customerId: ID!, $idempotencyKey: String, $input: StoreCreditInput!) {
    spendStoreCredit(shopId: $shopId, customerId: $customerId, idempotencyKey: $idempotencyKey, input: $input) {
      id
    }
  }
`);

export type CustomerRow = NonNullable<ResultOf<typeof Customers>["shop"]>["customers"]["items"][number];
export type Customer = NonNullable<NonNullable<ResultOf<typeof Customer>["shop"]>["customer"]>;
export type CreditEntry = Customer["storeCreditEntries"][number];

export const listCustomers = async (variables: VariablesOf<typeof Customers>, options: RequestOptions) =>
  (await request(Customers, variables, options)).shop!.customers;

export const customerQuery = (shopId: string, id: string) =>
  queryOptions({
    queryKey: ["records", shopId, "customer", id],
    queryFn: async ({ signal }) =>
      found((await request(Customer, { shopId, id }, { signal })).shop?.customer, copy.notFound),
  });
