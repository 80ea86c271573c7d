import { Arg, Authorized, Resolver } from "type-graphql";
import { ShopOperation, type AnsweredOperation } from "../access/operation.ts";
import { EmittingMutation } from "../mutations/emitting-mutation.ts";
import { Claim, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";
import { Id, Changes, ExpectedVersion } from "../mutations/operation-arguments.ts";
import { Permission } from "../model/permissions.ts";
import { cancelOrder } from "./changes/cancel-order.ts";
import type { CreateOrderRequest } from "./create-order-schema.ts";
import { createOrder } from "./create-order.ts";
import { fulfillOrder } from "./changes/fulfill-order.ts";
import { answerOrder, type OrderRow } from "./read-orders.ts";
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

@Authorized(Permission.WRITE_ORDERS)
@Resolver()
export class OrderMutations {
  @EmittingMutation(() => Order, {
    description: "Creates an order, assigns its number and removes its units from stock.",
    emits: ["order.created", "order.paid", "product.updated", "customer.updated"],
  })
  async createOrder(
    @ShopOperation() operation: AnsweredOperation,
    @Arg("input", () => CreateOrderInput, { description: "The lines, the customer and the payments of the order." })
    input: CreateOrderInput,
    @Claim() claim?: IdempotencyClaim,
  ): Promise<OrderRow> {
    const id = await createOrder(operation, input as CreateOrderRequest, claim);
    return answerOrder(operation, id);
  }

  @EmittingMutation(() => Order, {
    description: "Updates the customer, the notes and the metadata of an order.",
    emits: ["order.updated"],
  })
  async updateOrder(
    @ShopOperation() operation: AnsweredOperation,
    @Id("order") id: string,
    @Changes(() => UpdateOrderInput) input: UpdateOrderInput,
    @ExpectedVersion() expectedVersion?: number | null,
  ): Promise<OrderRow> {
    await updateOrder(operation, id, input, expectedVersion);
    return answerOrder(operation, id);
  }

  @EmittingMutation(() => Order, {
    description:
      "Records a payment. The payment that completes a point-of-sale order assigns its receipt number. A refunded or cancelled order takes only late captures.",
    emits: ["order.paid", "order.updated", "customer.updated"],
  })
  async recordPayment(
    @ShopOperation() operation: AnsweredOperation,
    @Id("order", "orderId") orderId: string,
    @Arg("input", () => PaymentInput, { description: "The amount and method of the payment." }) input: PaymentInput,
    @ExpectedVersion() expectedVersion?: number | null,
    @Claim() claim?: IdempotencyClaim,
  ): Promise<OrderRow> {
    await recordPayment(operation, orderId, input as RecordPaymentRequest, { expectedVersion, claim });
    return answerOrder(operation, orderId);
  }

  @EmittingMutation(() => Order, {
    description:
      "Updates the status of a payment. Whatever the payment provider captured can be recorded, in full or in part: also of a failed or voided payment, and of an order that is paid, refunded or cancelled.",
    emits: ["order.paid", "order.updated"],
  })
  async settlePayment(
    @ShopOperation() operation: AnsweredOperation,
    @Id("payment", "paymentId") paymentId: string,
    @Arg("input", () => SettlePaymentInput, { description: "The new status of the payment." })
    input: SettlePaymentInput,
  ): Promise<OrderRow> {
    const id = await settlePayment(operation, paymentId, input as SettlePaymentRequest);
    return answerOrder(operation, id);
  }

  @EmittingMutation(() => Order, { description: "Marks units of an order as fulfilled.", emits: ["order.updated"] })
  async fulfillOrder(
    @ShopOperation() operation: AnsweredOperation,
    @Id("order") id: string,
    @Arg("input", () => FulfillOrderInput, {
      defaultValue: {},
      description: "The units to fulfill. Omit to fulfill all remaining units.",
    })
    input: FulfillOrderInput,
    @ExpectedVersion() expectedVersion?: number | null,
  ): Promise<OrderRow> {
    await fulfillOrder(operation, id, input, expectedVersion);
    return answerOrder(operation, id);
  }

  @EmittingMutation(() => Order, {
    description: "Cancels an order that has no fulfilled units and no unrefunded payments.",
    emits: ["order.cancelled", "product.updated"],
  })
  async cancelOrder(
    @ShopOperation() operation: AnsweredOperation,
    @Id("order") id: string,
    @Arg("input", () => CancelOrderInput, { defaultValue: {}, description: "Options for the cancellation." })
    input: CancelOrderInput,
    @ExpectedVersion() expectedVersion?: number | null,
  ): Promise<OrderRow> {
    await cancelOrder(operation, id, input, expectedVersion);
    return answerOrder(operation, id);
  }

  @EmittingMutation(() => Order, {
    description:
      "Refunds money, returns units, or both. Once all units are returned and no payments are left to refund, the order becomes REFUNDED if its whole total was refunded, and CANCELLED otherwise.",
    emits: ["order.refunded", "order.cancelled", "order.updated", "product.updated", "customer.updated"],
  })
  async refundOrder(
    @ShopOperation() operation: AnsweredOperation,
    @Id("order") id: string,
    @Arg("input", () => RefundOrderInput, { description: "The amount, the units, or both." }) input: RefundOrderInput,
    @ExpectedVersion() expectedVersion?: number | null,
    @Claim() claim?: IdempotencyClaim,
  ): Promise<OrderRow> {
    await refundOrder(operation, id, input, { expectedVersion, claim });
    return answerOrder(operation, id);
  }
}
