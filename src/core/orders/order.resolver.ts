import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, ArgsType, Authorized, Ctx, FieldResolver, ID, Info, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../context.ts";
import { PageArgs, type Page } from "../pagination.ts";
import { Permission } from "../permissions.ts";
import { requestedPageFields } from "../read-page.ts";
import { requestedFields } from "../requested-fields.ts";
import { Shop } from "../shops/shop.entity.ts";
import { findOrder, listOrders, type OrderRow } from "./list-orders.ts";
import { OrderItem } from "./order-item.entity.ts";
import { Order, OrderCustomer, OrderPage } from "./order.entity.ts";
import { Payment } from "./payment.entity.ts";

@ArgsType()
class ListOrdersArgs extends PageArgs {}

@Resolver(() => Shop)
export class ShopOrdersResolver {
  @Authorized(Permission.READ_ORDERS)
  @FieldResolver(() => OrderPage, { description: "Newest first." })
  orders(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => ListOrdersArgs) page: ListOrdersArgs,
  ): Promise<Page<OrderRow>> {
    return listOrders(context.database, shop.id, page, requestedPageFields(info));
  }

  @Authorized(Permission.READ_ORDERS)
  @FieldResolver(() => Order, { nullable: true })
  order(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("id", () => ID) id: string,
  ): Promise<OrderRow | undefined> {
    return findOrder(context.database, shop.id, id, requestedFields(info));
  }
}

@Resolver(() => Order)
export class OrderResolver {
  @FieldResolver(() => OrderCustomer, { nullable: true, description: "Null for a walk-in sale." })
  customer(@Root() order: OrderRow, @Ctx() context: CoreContext): Promise<OrderCustomer | null> | null {
    const { shopId, customerId } = order;
    return customerId === null ? null : context.loaders.orderCustomers.load({ shopId, id: customerId });
  }

  @FieldResolver(() => [OrderItem])
  items(@Root() order: OrderRow, @Ctx() context: CoreContext): Promise<OrderItem[]> {
    return context.loaders.orderItems.load(order);
  }

  @FieldResolver(() => [Payment], { description: "Oldest first." })
  payments(@Root() order: OrderRow, @Ctx() context: CoreContext): Promise<Payment[]> {
    return context.loaders.payments.load(order);
  }
}
