import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, ArgsType, Authorized, Ctx, FieldResolver, ID, Info, Int, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../context.ts";
import { PageArgs, type Page } from "../pagination.ts";
import { Permission } from "../permissions.ts";
import { requestedPageFields } from "../read-page.ts";
import { requestedFields } from "../requested-fields.ts";
import { DecimalScalar } from "../scalars.ts";
import { Shop } from "../shops/shop.entity.ts";
import { Customer, CustomerPage } from "./customer.entity.ts";
import { findCustomer, listCustomers } from "./list-customers.ts";

@ArgsType()
class ListCustomersArgs extends PageArgs {}

@Resolver(() => Shop)
export class ShopCustomersResolver {
  @Authorized(Permission.READ_CUSTOMERS)
  @FieldResolver(() => CustomerPage, { description: "Newest first." })
  customers(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => ListCustomersArgs) page: ListCustomersArgs,
  ): Promise<Page<Customer>> {
    return listCustomers(context.database, shop.id, page, requestedPageFields(info));
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
