import { Arg, Args, Authorized, Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import { Big, inCurrency } from "../../platform/money.ts";
import { operationOf } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import type { Page } from "../model/page.ts";
import { Permission } from "../model/permissions.ts";
import { DecimalScalar } from "../model/scalars.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { findOrder, listOrders, ListOrdersArgs, type OrderRow } from "./read-orders.ts";
import { OrderItem } from "../model/orders/order-item.entity.ts";
import { Order, OrderCustomer, OrderPage } from "../model/orders/order.entity.ts";
import { OrderStatus } from "../model/orders/order.enums.ts";
import type { QuoteOrderRequest } from "./create-order-schema.ts";
import { QuoteOrderInput, RefundOrderInput } from "./order.inputs.ts";
import { OrderQuote, quoteOrder } from "./quote-order.ts";
import { Payment, Refund } from "../model/orders/payment.entity.ts";
import { PaymentMethod } from "../model/orders/payment.enums.ts";
import { amountToPay } from "./payments/amount-to-pay.ts";
import { amountToRefund } from "./payments/plan-refund.ts";
import { DailyOrders, loadDailyOrders, MAX_DAYS } from "./daily-orders.sql.ts";
import { OrderChange, type OrderParts } from "./order-parts.ts";
import { listDetails } from "../audit/list-audit-log.ts";
import { ReadsShop, type ShopReader } from "../queries/selection.ts";
import { Id } from "../mutations/operation-arguments.ts";

@Authorized(Permission.READ_ORDERS)
@Resolver(() => Shop)
export class ShopOrdersResolver {
  @FieldResolver(() => OrderPage, { description: "The shop's orders, newest first by default." })
  orders(@ReadsShop() read: ShopReader, @Args(() => ListOrdersArgs) filter: ListOrdersArgs): Promise<Page<OrderRow>> {
    return read(listOrders, filter);
  }

  @FieldResolver(() => Order, { nullable: true, description: "The order with this ID. Null if it does not exist." })
  order(@ReadsShop() read: ShopReader, @Id("order") id: string): Promise<OrderRow | undefined> {
    return read(findOrder, id);
  }

  @FieldResolver(() => [DailyOrders], {
    description:
      "The orders placed on each of the last days, oldest first. Includes today. Cancelled orders don't count.",
  })
  dailyOrders(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Arg("days", () => Int, { defaultValue: 7, description: `The number of days, 1 to ${MAX_DAYS}.` }) days: number,
    @Arg("timeZone", () => String, {
      defaultValue: "UTC",
      description: "The IANA time zone in which days begin, such as Europe/Berlin.",
    })
    timeZone: string,
  ): Promise<DailyOrders[]> {
    return context.limit(loadDailyOrders, context.database, operationOf(context, shop.id).shop, { days, timeZone });
  }

  @Authorized(Permission.READ_ORDERS, Permission.WRITE_ORDERS)
  @FieldResolver(() => OrderQuote, {
    description: "Prices an order without placing it. Requires READ_ORDERS and WRITE_ORDERS.",
  })
  quoteOrder(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Arg("input", () => QuoteOrderInput, { description: "The lines and the customer of the order." })
    input: QuoteOrderInput,
  ): Promise<OrderQuote> {
    return context.limit(quoteOrder, operationOf(context, shop.id), input as QuoteOrderRequest);
  }
}

@Resolver(() => OrderQuote)
export class OrderQuoteResolver {
  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description:
      "The payment by this method that settles the order. In cash, it is rounded by `Shop.cashRounding`, but not to 0. Null if a problem prevents the calculation.",
  })
  amountToPay(
    @Root() { shopId, totalAmount }: OrderQuote,
    @Ctx() context: CoreContext,
    @Arg("method", () => PaymentMethod, { description: "The payment method." }) method: PaymentMethod,
  ): string | null {
    if (totalAmount === null) return null;
    const order = { status: OrderStatus.CONFIRMED, totalAmount, payments: [] };
    return amountToPay(operationOf(context, shopId).shop, order, method);
  }
}

@Resolver(() => Order)
export class OrderResolver {
  @FieldResolver(() => OrderCustomer, { nullable: true, description: "The customer. Null if the order has none." })
  customer(@Root() order: OrderRow): OrderCustomer | null {
    return order.customer!;
  }

  @FieldResolver(() => [OrderItem], { description: "The lines of the order." })
  items(@Root() order: OrderRow): OrderItem[] {
    return order.items!;
  }

  @FieldResolver(() => [Refund], { description: "The refunds, oldest first." })
  refunds(@Root() order: OrderRow): Refund[] {
    return order.refunds!;
  }

  @FieldResolver(() => DecimalScalar, {
    description: "The amount that `refundOrder` would refund for this input. Fails in the same cases.",
  })
  amountToRefund(
    @Root() order: OrderRow,
    @Ctx() context: CoreContext,
    @Arg("input", () => RefundOrderInput, { description: "The amount, the units, or both." }) input: RefundOrderInput,
  ): string {
    return amountToRefund(operationOf(context, order.shopId), withParts(order), input);
  }

  @FieldResolver(() => DecimalScalar, {
    description:
      "The captured amount beyond the price of the order. All that is held of a refunded or cancelled order. To return it, refund an amount.",
  })
  overpaidAmount(@Root() order: OrderRow, @Ctx() context: CoreContext): string {
    return inCurrency(order.overpaidAmount!, operationOf(context, order.shopId).shop);
  }

  @FieldResolver(() => DecimalScalar, {
    description:
      "The payment by this method that settles the order. In cash, it is rounded by `Shop.cashRounding`, but not to 0. 0 if the order takes no payments.",
  })
  amountToPay(
    @Root() order: OrderRow,
    @Ctx() context: CoreContext,
    @Arg("method", () => PaymentMethod, { description: "The payment method." }) method: PaymentMethod,
  ): string {
    return amountToPay(operationOf(context, order.shopId).shop, withParts(order), method);
  }

  @FieldResolver(() => [OrderChange], { description: "The changes since the order was placed, oldest first." })
  changes(@Root() order: OrderRow): OrderChange[] {
    return order.changes!.map(({ details, ...change }) => ({ ...change, details: listDetails(details) }));
  }

  @FieldResolver(() => [Payment], { description: "The payments, oldest first." })
  payments(@Root() order: OrderRow): Payment[] {
    return order.payments!;
  }
}

/** The order with the parts that are always read for a computed field. */
function withParts(order: OrderRow) {
  return order as OrderRow & Pick<OrderParts, "items" | "payments">;
}

@Resolver(() => Payment)
export class PaymentResolver {
  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: "The cash to give back: `tendered` minus the amount. Null if `tendered` was not recorded.",
  })
  change(@Root() { shopId, tendered, amount }: Payment, @Ctx() context: CoreContext): string | null {
    if (tendered === null) return null;
    return inCurrency(new Big(tendered).minus(amount), operationOf(context, shopId).shop);
  }
}
