import type { GraphQLResolveInfo } from "graphql";
import { Arg, Authorized, Ctx, FieldResolver, ID, Info, Int, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../context.ts";
import { DEFAULT_LIMIT, type Page } from "../pagination.ts";
import { Permission } from "../permissions.ts";
import { requestedFields } from "../requested-fields.ts";
import { DecimalScalar } from "../scalars.ts";
import { Shop } from "../shops/shop.entity.ts";
import { Customer, CustomerPage } from "./customer.entity.ts";
import { findCustomer, listCustomers } from "./list-customers.ts";

@Resolver(() => Shop)
export class ShopCustomersResolver {
  @Authorized(Permission.READ_CUSTOMERS)
  @FieldResolver(() => CustomerPage, { description: "Newest first." })
  customers(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("page", () => Int, { defaultValue: 1, description: "From 1." }) page: number,
    @Arg("limit", () => Int, { defaultValue: DEFAULT_LIMIT, description: "1 to 250." }) limit: number,
  ): Promise<Page<Customer>> {
    return listCustomers(context.database, shop.id, { page, limit }, requestedFields(info, "items"));
  }

  @Authorized(Permission.READ_CUSTOMERS)
  @FieldResolver(() => Customer, { nullable: true })
  customer(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Arg("id", () => ID) id: string,
  ): Promise<Customer | undefined> {
    return findCustomer(context.database, shop.id, id, requestedFields(info));
  }
}

@Resolver(() => Customer)
export class CustomerResolver {
  @FieldResolver(() => DecimalScalar, { description: "Sum of the store credit ledger, in the shop's currency." })
  storeCreditBalance(@Root() customer: Customer, @Ctx() context: CoreContext): Promise<string> {
    return context.loaders.storeCreditBalances.load(customer);
  }

  @FieldResolver(() => Int, { description: "Number of the customer's orders, whatever their status." })
  orderCount(@Root() customer: Customer, @Ctx() context: CoreContext): Promise<number> {
    return context.loaders.customerOrderCounts.load(customer);
  }
}
