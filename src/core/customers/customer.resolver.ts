import { Arg, Args, Authorized, Ctx, FieldResolver, Int, Resolver, Root } from "type-graphql";
import { inCurrency } from "../../platform/money.ts";
import { operationOf, ShopOperation, type AnsweredOperation } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import { EmittingMutation } from "../mutations/emitting-mutation.ts";
import { Claim, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";
import type { Page } from "../model/page.ts";
import { Id, Changes, ExpectedVersion } from "../mutations/operation-arguments.ts";
import { Permission } from "../model/permissions.ts";
import { DecimalScalar } from "../model/scalars.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { createCustomer, CreateCustomerInput, updateCustomer, UpdateCustomerInput } from "./customers.ts";
import { Customer, CustomerPage } from "../model/customers/customer.entity.ts";
import {
  findCustomer,
  listCustomers,
  ListCustomersArgs,
  answerCustomer,
  type ShownCustomer,
} from "./read-customers.ts";
import { ReadsShop, type ShopReader } from "../queries/selection.ts";

@Authorized(Permission.READ_CUSTOMERS)
@Resolver(() => Shop)
export class ShopCustomersResolver {
  @FieldResolver(() => CustomerPage, { description: "The shop's customers, newest first by default." })
  customers(
    @ReadsShop() read: ShopReader,
    @Args(() => ListCustomersArgs) filter: ListCustomersArgs,
  ): Promise<Page<ShownCustomer>> {
    return read(listCustomers, filter);
  }

  @FieldResolver(() => Customer, {
    nullable: true,
    description: "The customer with this ID. Null if it does not exist.",
  })
  customer(@ReadsShop() read: ShopReader, @Id("customer") id: string): Promise<ShownCustomer | undefined> {
    return read(findCustomer, id);
  }
}

@Resolver(() => Customer)
export class CustomerResolver {
  @FieldResolver(() => DecimalScalar, { description: "The store credit available, in the shop's currency." })
  storeCreditBalance(@Root() customer: ShownCustomer, @Ctx() context: CoreContext): string {
    return inCurrency(customer.storeCreditBalance!, operationOf(context, customer.shopId).shop);
  }

  @FieldResolver(() => Int, { description: "The number of the customer's orders, in any status." })
  orderCount(@Root() customer: ShownCustomer): number {
    return customer.orderCount!;
  }
}

@Authorized(Permission.WRITE_CUSTOMERS)
@Resolver()
export class CustomerMutations {
  @EmittingMutation(() => Customer, { description: "Creates a customer.", emits: ["customer.created"] })
  async createCustomer(
    @ShopOperation() operation: AnsweredOperation,
    @Arg("input", () => CreateCustomerInput, { description: "The customer." }) input: CreateCustomerInput,
    @Claim() claim?: IdempotencyClaim,
  ): Promise<ShownCustomer | undefined> {
    const id = await createCustomer(operation, { ...input }, claim);
    return answerCustomer(operation, id);
  }

  @EmittingMutation(() => Customer, { description: "Updates a customer.", emits: ["customer.updated"] })
  async updateCustomer(
    @ShopOperation() operation: AnsweredOperation,
    @Id("customer") id: string,
    @Changes(() => UpdateCustomerInput) input: UpdateCustomerInput,
    @ExpectedVersion() expectedVersion?: number | null,
  ): Promise<ShownCustomer | undefined> {
    await updateCustomer(operation, id, { ...input }, expectedVersion);
    return answerCustomer(operation, id);
  }
}
