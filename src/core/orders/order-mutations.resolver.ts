import type { GraphQLResolveInfo } from "graphql";
import { Arg, Authorized, Ctx, ID, Info, Int, Resolver } from "type-graphql";
import { operationOf } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import { EmittingMutation } from "../schema/emitting-mutation.ts";
import { claimKey } from "../idempotency/claim-key.ts";
import { EXPECTED_VERSION, IDEMPOTENCY_KEY, ShopId } from "../schema/operation-arguments.ts";
import { Permission } from "../model/permissions.ts";
import { selectionOf } from "../queries/selection.ts";
import { cancelOrder } from "./changes/cancel-order.ts";
import { createOrder, type CreateOrderRequest } from "./create-order.ts";
import { fulfillOrder } from "./changes/fulfill-order.ts";
import { findOrder } from "./find-order.ts";
import type { OrderRow } from "./list-orders.ts";
import { Order } from "../model/orders/order.entity.ts";
import {
  CancelOrderInput,
  CreateOrderInput,
  FulfillOrderInput,
  PaymentInput,
  RefundOrderInput,
  SettlePaymentInput,
  UpdateOrderInput,
} from "./order.inputs.ts";
import { recordPayment, type RecordPaymentRequest } from "./payments/record-payment.ts";
import { refundOrder } from "./payments/refund-order.ts";
import { settlePayment, type SettlePaymentRequest } from "./payments/settle-payment.ts";
import { updateOrder } from "./changes/update-order.ts";

@Resolver()
export class OrderMutations {
  @Authorized(Permission.WRITE_ORDERS)
  @EmittingMutation(() => Order, {
    description: "Creates an order, assigns its number and removes its units from stock.",
    emits: ["order.created", "order.paid", "product.updated", "customer.updated"],
  })
  async createOrder(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @ShopId() shopId: string,
    @Arg("input", () => CreateOrderInput, { description: "The lines, the customer and the payments of the order." })
    input: CreateOrderInput,
    @Arg("idempotencyKey", () => String, IDEMPOTENCY_KEY) idempotencyKey?: string | null,
  ): Promise<OrderRow> {
    const request = input as CreateOrderRequest;
    const id = await createOrder(operationOf(context, shopId), request, claimKey(context, info, idempotencyKey));
    return answer(context, info, shopId, id);
  }

  @Authorized(Permission.WRITE_ORDERS)
  @EmittingMutation(() => Order, {
    description: "Updates the customer and the notes of an order.",
    emits: ["order.updated"],
  })
  async updateOrder(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The order." }) id: string,
    @Arg("input", () => UpdateOrderInput, { description: "The changes. Omitted fields are left unchanged." })
    input: UpdateOrderInput,
    @Arg("expectedVersion", () => Int, EXPECTED_VERSION) expectedVersion?: number | null,
  ): Promise<OrderRow> {
    await updateOrder(operationOf(context, shopId), id, input, expectedVersion);
    return answer(context, info, shopId, id);
  }

  @Authorized(Permission.WRITE_ORDERS)
  @EmittingMutation(() => Order, {
    description: "Records a payment. The payment that completes a point-of-sale order assigns its receipt number.",
    emits: ["order.paid", "order.updated", "customer.updated"],
  })
  async recordPayment(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @ShopId() shopId: string,
    @Arg("orderId", () => ID, { description: "The order." }) orderId: string,
    @Arg("input", () => PaymentInput, { description: "The amount and method of the payment." }) input: PaymentInput,
    @Arg("expectedVersion", () => Int, EXPECTED_VERSION) expectedVersion?: number | null,
    @Arg("idempotencyKey", () => String, IDEMPOTENCY_KEY) idempotencyKey?: string | null,
  ): Promise<OrderRow> {
    const options = { expectedVersion, claim: claimKey(context, info, idempotencyKey) };
    await recordPayment(operationOf(context, shopId), orderId, input as RecordPaymentRequest, options);
    return answer(context, info, shopId, orderId);
  }

  @Authorized(Permission.WRITE_ORDERS)
  @EmittingMutation(() => Order, {
    description: "Updates the status of a pending or authorized payment.",
    emits: ["order.paid", "order.updated"],
  })
  async settlePayment(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @ShopId() shopId: string,
    @Arg("paymentId", () => ID, { description: "The payment." }) paymentId: string,
    @Arg("input", () => SettlePaymentInput, { description: "The new status of the payment." })
    input: SettlePaymentInput,
  ): Promise<OrderRow> {
    const id = await settlePayment(operationOf(context, shopId), paymentId, input as SettlePaymentRequest);
    return answer(context, info, shopId, id);
  }

  @Authorized(Permission.WRITE_ORDERS)
  @EmittingMutation(() => Order, { description: "Marks units of an order as fulfilled.", emits: ["order.updated"] })
  async fulfillOrder(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The order." }) id: string,
    @Arg("input", () => FulfillOrderInput, {
      defaultValue: {},
      description: "The units to fulfil. Omit to fulfil all remaining units.",
    })
    input: FulfillOrderInput,
    @Arg("expectedVersion", () => Int, EXPECTED_VERSION) expectedVersion?: number | null,
  ): Promise<OrderRow> {
    await fulfillOrder(operationOf(context, shopId), id, input, expectedVersion);
    return answer(context, info, shopId, id);
  }

  @Authorized(Permission.WRITE_ORDERS)
  @EmittingMutation(() => Order, {
    description: "Cancels an order that has no fulfilled units and no unrefunded payments.",
    emits: ["order.cancelled", "product.updated"],
  })
  async cancelOrder(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The order." }) id: string,
    @Arg("input", () => CancelOrderInput, { defaultValue: {}, description: "Options for the cancellation." })
    input: CancelOrderInput,
    @Arg("expectedVersion", () => Int, EXPECTED_VERSION) expectedVersion?: number | null,
  ): Promise<OrderRow> {
    await cancelOrder(operationOf(context, shopId), id, input, expectedVersion);
    return answer(context, info, shopId, id);
  }

  @Authorized(Permission.WRITE_ORDERS)
  @EmittingMutation(() => Order, {
    description:
      "Refunds money, returns units, or both. Once all units are returned and no payments are left to refund, the order becomes REFUNDED if its whole total was refunded, and CANCELLED otherwise.",
    emits: ["order.refunded", "order.cancelled", "order.updated", "product.updated", "customer.updated"],
  })
  async refundOrder(
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The order." }) id: string,
    @Arg("input", () => RefundOrderInput, { description: "The amount, the units, or both." }) input: RefundOrderInput,
    @Arg("expectedVersion", () => Int, EXPECTED_VERSION) expectedVersion?: number | null,
    @Arg("idempotencyKey", () => String, IDEMPOTENCY_KEY) idempotencyKey?: string | null,
  ): Promise<OrderRow> {
    const options = { expectedVersion, claim: claimKey(context, info, idempotencyKey) };
    await refundOrder(operationOf(context, shopId), id, input, options);
    return answer(context, info, shopId, id);
  }
}

/** Reads the selected fields of the changed order. */
async function answer(context: CoreContext, info: GraphQLResolveInfo, shopId: string, id: string): Promise<OrderRow> {
  return (await findOrder(context.orm.em, shopId, id, selectionOf(info)))!;
}
