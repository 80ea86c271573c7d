import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from "type-graphql";
import { ShopOperation, type AnsweredOperation, type Operation } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import { Order } from "../model/orders/order.entity.ts";
import { Permission } from "../model/permissions.ts";
import { SandboxContent, Shop } from "../model/shops/shop.entity.ts";
import type { Topic } from "../model/webhooks/topics.ts";
import { answerOrder, type OrderRow } from "../orders/read-orders.ts";
import { requireSandbox } from "../shops/sandbox-rules.ts";
import { createSandbox, resetSandbox } from "./sandboxes.ts";
import { simulateEvent, simulateOrder, SimulatedOrderState } from "./simulations.ts";

const Content = () => Arg("content", () => SandboxContent, { description: "What to fill it with." });

@Authorized(Permission.SETTINGS)
@Resolver()
export class SandboxMutations {
  @Mutation(() => Shop, {
    description:
      "Creates a sandbox: a shop beside yours in which nothing is real, for the same staff. It opens when it is filled. Fails with LIMIT_REACHED if the shop has two.",
  })
  async createSandbox(
    @ShopOperation() operation: Operation,
    @Content() content: SandboxContent,
    @Ctx() { caller }: CoreContext,
  ): Promise<Shop> {
    const shop = await createSandbox(operation, { content });
    // For the fields of the answer that require permissions, and an open shop.
    const membership = caller!.memberships.get(operation.shop.id)!;
    caller!.memberships.set(shop.id, { ...membership, shop: { ...shop, closedAt: null } });
    return shop;
  }

  @Mutation(() => Shop, {
    description:
      "Replaces the records of a sandbox, without events. Deletes events with their deliveries, and idempotency keys. Keeps API keys, webhook endpoints, settings, logs and the count of order numbers. Fails with UNAVAILABLE while it is being filled, and with INVALID_STATE during an import.",
  })
  resetSandbox(@ShopOperation() operation: Operation, @Content() content: SandboxContent): Promise<Shop> {
    return resetSandbox(operation, { content });
  }

  @Mutation(() => Order, {
    description:
      "Creates an order and brings it into a state as a client does, with all events. Only in a sandbox. Fails with INVALID_STATE if no product can be sold.",
  })
  async simulateOrder(
    @ShopOperation(requireSandbox) operation: AnsweredOperation,
    @Arg("state", () => SimulatedOrderState, { description: "The state." }) state: SimulatedOrderState,
  ): Promise<OrderRow> {
    return answerOrder(operation, await simulateOrder(operation, state));
  }

  @Mutation(() => String, {
    description:
      "Causes an event by a real change, such as a payment for order.paid, and returns its body. If the record's state does not allow the change, the event is sent without it. Only in a sandbox.",
  })
  simulateEvent(
    @ShopOperation(requireSandbox) operation: Operation,
    @Arg("topic", () => String, { description: "The topic, such as order.paid." }) topic: Topic,
    @Arg("recordId", () => ID, { nullable: true, description: "The order, product or customer. Omit for a new one." })
    recordId?: string | null,
  ): Promise<string> {
    return simulateEvent(operation, { topic, recordId });
  }
}
