import { queryOptions } from "@tanstack/react-query";
import type { ResultOf, VariablesOf } from "gql.tada";
import { found, graphql, request, type RequestOptions } from "../request.ts";
import { copy } from "./copy.ts";

const Orders = graphql(`
  query Orders(
    $shopId: ID!
    $after: String
    $search: String
    $sort: OrderSort! = CREATED_AT
    $order: SortOrder! = DESC
    $customerId: ID
    $status: OrderStatus
    $paymentStatus: OrderPaymentStatus
    $isPaymentDue: Boolean
    $isOverpaid: Boolean
    $isCancelled: Boolean
    $fulfillmentStatus: FulfillmentStatus
    $createdSince: Timestamp
  ) {
    shop(id: $shopId) {
      orders(
        after: $after
        limit: 50
        search: $search
        sort: $sort
        order: $order
        customerId: $customerId
        status: $status
        paymentStatus: $paymentStatus
        isPaymentDue: $isPaymentDue
        isOverpaid: $isOverpaid
        isCancelled: $isCancelled
        fulfillmentStatus: $fulfillmentStatus
        createdSince: $createdSince
      ) {
        nextCursor
        total
        items {
          id
          orderNumber
          receiptNumber
          status
          paymentStatus
          fulfillmentStatus
          channel
          createdAt
          currency
          totalAmount
          overpaidAmount
          customer {
            id
            email
            firstName
            lastName
          }
        }
      }
    }
  }
`);

const Order = graphql(`
  query Order($shopId: ID!, $id: ID!) {
    shop(id: $shopId) {
      order(id: $id) {
        id
        version
        orderNumber
        receiptNumber
        status
        paymentStatus
        fulfillmentStatus
        channel
        createdByName
        createdAt
        currency
        pricesIncludeTax
        subtotalAmount
        discountAmount
        taxAmount
        roundingAmount
        totalAmount
        cashToPay: amountToPay(method: CASH)
        refundedAmount
        overpaidAmount
        notes
        cancelReason
        cancelledAt
        metadata {
          key
          value
        }
        customer {
          id
          email
          firstName
          lastName
        }
        changes {
          action
          actorName
          createdAt
          details {
            name
            value
          }
        }
        items {
          id
          productId
          title
          variantTitle
          sku
          quantity
          fulfilledQuantity
          refundedQuantity
          unitPrice
          totalAmount
        }
        payments {
          id
          method
          status
          amount
          tendered
          change
          refundedAmount
          isLateCapture
          currency
          reference
          createdAt
          processedAt
          actorName
        }
        refunds {
          id
          amount
          taxAmount
          reason
          createdAt
          actorName
          items {
            itemId
            quantity
            restocked
          }
        }
      }
    }
  }
`);

export const RecordPayment = graphql(`
  mutation RecordPayment(
    $shopId: ID!
    $orderId: ID!
    $expectedVersion: Int
    $idempotencyKey: String
    $input: PaymentInput!
  ) {
    recordPayment(
      shopId: $shopId
      orderId: $orderId
      expectedVersion: $expectedVersion
      idempotencyKey: $idempotencyKey
      input: $input
    ) {
      id
    }
  }
`);

export const SettlePayment = graphql(`
  mutation SettlePayment($shopId: ID!, $paymentId: ID!, $input: SettlePaymentInput!) {
    settlePayment(shopId: $shopId, paymentId: $paymentId, input: $input) {
      id
    }
  }
`);

export const FulfillOrder = graphql(`
  mutation FulfillOrder($shopId: ID!, $id: ID!, $expectedVersion: Int, $input: FulfillOrderInput!) {
    fulfillOrder(shopId: $shopId, id: $id, expectedVersion: $expectedVersion, input: $input) {
      id
    }
  }
`);

export const AmountToRefund = graphql(`
  query AmountToRefund($shopId: ID!, $id: ID!, $input: RefundOrderInput!) {
    shop(id: $shopId) {
      order(id: $id) {
        amountToRefund(input: $input)
      }
    }
  }
`);

export const RefundOrder = graphql(`
  mutation RefundOrder(
    $shopId: ID!
    $id: ID!
    $expectedVersion: Int
    $idempotencyKey: String
    $input: RefundOrderInput!
  ) {
    refundOrder(
      shopId: $shopId
      id: $id
      expectedVersion: $expectedVersion
      idempotencyKey: $idempotencyKey
      input: $input
    ) {
      id
    }
  }
`);

export const CancelOrder = graphql(`
  mutation CancelOrder($shopId: ID!, $id: ID!, $expectedVersion: Int, $input: CancelOrderInput!) {
    cancelOrder(shopId: $shopId, id: $id, expectedVersion: $expectedVersion, input: $input) {
      id
    }
  }
`);

export const UpdateOrder = graphql(`
  mutation UpdateOrder($shopId: ID!, $id: ID!, $expectedVersion: Int, $input: UpdateOrderInput!) {
    updateOrder(shopId: $shopId, id: $id, expectedVersion: $expectedVersion, input: $input) {
      id
    }
  }
`);

type Found<Data> = NonNullable<Data>;
export type OrderRow = Found<ResultOf<typeof Orders>["shop"]>["orders"]["items"][number];
export type Order = Found<Found<ResultOf<typeof Order>["shop"]>["order"]>;
export type OrderLine = Order["items"][number];
export type Payment = Order["payments"][number];
export type RefundInput = VariablesOf<typeof AmountToRefund>["input"];

export const listOrders = async (variables: VariablesOf<typeof Orders>, options: RequestOptions) =>
  (await request(Orders, variables, options)).shop!.orders;

export const orderQuery = (shopId: string, id: string) =>
  queryOptions({
    queryKey: ["records", shopId, "order", id],
    queryFn: async ({ signal }) => found((await request(Order, { shopId, id }, { signal })).shop?.order, copy.notFound),
  });
