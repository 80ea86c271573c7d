import { z } from "zod";
import { Channel, OrderStatus } from "../core/model/orders/order.enums.ts";
import { PaymentMethod, PaymentStatus } from "../core/model/orders/payment.enums.ts";
import { Permission } from "../core/model/permissions.ts";
import { graphql } from "./typed-document.ts";
import { pageQuery, paginate, paginationSchema, pageArguments } from "./pagination.ts";
import { defineRoute } from "./route.ts";
import { examples, idOf, money, timestamp } from "./schemas.ts";

const currency = z.string().meta({ description: "The ISO 4217 currency code.", example: "EUR" });
const status = z.enum(OrderStatus).meta({ id: "OrderStatus" });

const listedOrder = z
  .strictObject({
    id: idOf("ord"),
    orderNumber: z.string(),
    status,
    channel: z.enum(Channel).meta({ id: "Channel" }),
    total: money("The total amount, including tax and the rounding of cash."),
    currency,
    createdAt: timestamp,
  })
  .meta({ id: "ListedOrder" });

const item = z
  .strictObject({
    id: idOf("itm"),
    productId: idOf("prod"),
    variantId: idOf("var"),
    title: z.string().meta({ description: "The product's title at the time of sale." }),
    variantTitle: z.string(),
    sku: z.string(),
    quantity: z.int().min(1),
    unitPrice: money("The unit price at the time of sale. Includes tax if the shop's prices did."),
    discountAmount: money("The discount on the line."),
    taxAmount: money("The tax on the line, part of its total."),
    totalAmount: money(
      "The total, including tax: quantity times unit price, minus discount, plus tax unless the unit price includes it.",
    ),
  })
  .meta({ id: "OrderItem", description: "A line of the order, with product data from the time of sale." });

const payment = z
  .strictObject({
    id: idOf("pay"),
    method: z.enum(PaymentMethod).meta({ id: "PaymentMethod" }),
    status: z.enum(PaymentStatus).meta({ id: "PaymentStatus" }),
    amount: money("The amount of the payment."),
    refundedAmount: money("The amount refunded."),
    currency,
    reference: z.string().nullable().meta({ description: "The reference of the payment provider." }),
    processedAt: timestamp.nullable(),
  })
  .meta({ id: "Payment" });

const order = z
  .strictObject({
    id: idOf("ord"),
    orderNumber: z.string(),
    receiptNumber: z.string().nullable().meta({ description: "The receipt number. Null if there is no receipt." }),
    status,
    totalAmount: money("The total amount, including tax and the rounding of cash."),
    currency,
    customer: z
      .strictObject({ id: idOf("cus"), email: z.string() })
      .nullable()
      .meta({ description: "The customer. Null if the order has none." }),
    items: z.array(item),
    payments: z.array(payment).meta({ description: "The payments, oldest first. Empty if there are none." }),
  })
  .meta({ id: "Order" });

export const listOrders = defineRoute({
  method: "GET",
  path: "/orders",
  operationId: "listOrders",
  summary: "List orders",
  description: "The shop's orders from all sales channels, newest first.",
  tag: "Orders",
  permission: Permission.READ_ORDERS,
  resource: "Shop",
  query: z.strictObject(pageQuery),
  document: graphql(`
    query ListOrders($shopId: ID!, $page: Int, $after: String, $limit: Int!, $updatedSince: Timestamp) {
      shop(id: $shopId) {
        orders(page: $page, after: $after, limit: $limit, updatedSince: $updatedSince) {
          items {
            id
            orderNumber
            status
            channel
            total: totalAmount
            currency
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
  response: z.strictObject({ orders: z.array(listedOrder), pagination: paginationSchema }).meta({ id: "OrderList" }),
  responseExample: {
    orders: [
      {
        id: examples.ord,
        orderNumber: "1042",
        status: OrderStatus.CONFIRMED,
        channel: Channel.POS,
        total: 34.51,
        currency: "EUR",
        createdAt: "2026-01-31T09:30:00.000Z",
      },
    ],
    pagination: { page: 1, limit: 50, total: 1, pages: 1 },
  },
  shape: ({ shop }, { query, position }) =>
    shop && {
      orders: shop.orders.items.map((row) => ({ ...row, total: Number(row.total) })),
      pagination: paginate(position, query.limit, shop.orders.total),
    },
  nextCursor: ({ shop }) => shop!.orders.nextCursor,
});

export const getOrder = defineRoute({
  method: "GET",
  path: "/orders/{orderId}",
  operationId: "getOrder",
  summary: "Retrieve an order",
  description: "An order with its items, customer and payments.",
  tag: "Orders",
  permission: Permission.READ_ORDERS,
  resource: "Order",
  query: z.strictObject({}),
  document: graphql(`
    query GetOrder($shopId: ID!, $id: ID!) {
      shop(id: $shopId) {
        order(id: $id) {
          id
          orderNumber
          receiptNumber
          status
          totalAmount
          currency
          customer {
            id
            email
          }
          items {
            id
            productId
            variantId
            title
            variantTitle
            sku
            quantity
            unitPrice
            discountAmount
            taxAmount
            totalAmount
          }
          payments {
            id
            method
            status
            amount
            refundedAmount
            currency
            reference
            processedAt
          }
        }
      }
    }
  `),
  variables: ({ shopId, id }) => ({ shopId, id }),
  status: 200,
  response: z.strictObject({ order }).meta({ id: "OrderAnswer" }),
  responseExample: {
    order: {
      id: examples.ord,
      orderNumber: "1042",
      receiptNumber: "R-000713",
      status: OrderStatus.CONFIRMED,
      totalAmount: 34.51,
      currency: "EUR",
      customer: { id: examples.cus, email: "ada@example.com" },
      items: [
        {
          id: examples.itm,
          productId: examples.prod,
          variantId: examples.var,
          title: "Stoneware Mug",
          variantTitle: "Default Title",
          sku: "MUG-01",
          quantity: 2,
          unitPrice: 14.5,
          discountAmount: 0,
          taxAmount: 5.51,
          totalAmount: 34.51,
        },
      ],
      payments: [
        {
          id: examples.pay,
          method: PaymentMethod.CARD,
          status: PaymentStatus.CAPTURED,
          amount: 34.51,
          refundedAmount: 0,
          currency: "EUR",
          reference: "auth-81f2",
          processedAt: "2026-01-31T09:30:02.000Z",
        },
      ],
    },
  },
  shape: ({ shop }) =>
    shop?.order
      ? {
          order: {
            ...shop.order,
            totalAmount: Number(shop.order.totalAmount),
            items: shop.order.items.map((row) => ({
              ...row,
              unitPrice: Number(row.unitPrice),
              discountAmount: Number(row.discountAmount),
              taxAmount: Number(row.taxAmount),
              totalAmount: Number(row.totalAmount),
            })),
            payments: shop.order.payments.map((row) => ({
              ...row,
              amount: Number(row.amount),
              refundedAmount: Number(row.refundedAmount),
            })),
          },
        }
      : null,
});
