import { Arg, Authorized, Ctx, Mutation, Resolver } from "type-graphql";
import { ShopOperation, type AnsweredOperation } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import { answerCustomer, type ShownCustomer } from "../customers/read-customers.ts";
import { Claim, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";
import { Customer } from "../model/customers/customer.entity.ts";
import { AppError } from "../model/errors.ts";
import { Permission } from "../model/permissions.ts";
import { Role } from "../model/staff/staff.entity.ts";
import { EmittingMutation } from "../mutations/emitting-mutation.ts";
import { Id } from "../mutations/operation-arguments.ts";
import { exportCustomerText } from "./export-customer.sql.ts";
import { eraseCustomer, EraseCustomerInput } from "./erase-customer.ts";

/** What the law grants the people whose data a shop has. */
@Resolver()
export class PrivacyMutations {
  @Authorized(Permission.WRITE_CUSTOMERS)
  @EmittingMutation(() => Customer, {
    description:
      "Erases the personal data of a customer for good. Their name, email address, phone number and note are replaced, their metadata is deleted; orders, payments and store credit stay for the books. Does nothing to an erased customer. Fails with INVALID_STATE if the customer has store credit that is not forfeited, and with FORBIDDEN for clerks.",
    emits: ["customer.updated", "order.updated"],
  })
  async eraseCustomer(
    @ShopOperation() operation: AnsweredOperation,
    @Ctx() { caller }: CoreContext,
    @Id("customer") id: string,
    @Arg("input", () => EraseCustomerInput, { defaultValue: {}, description: "What to erase with the customer." })
    input: EraseCustomerInput,
    @Claim() claim?: IdempotencyClaim,
  ): Promise<ShownCustomer | undefined> {
    if (caller!.memberships.get(operation.shop.id)!.role === Role.CLERK) {
      throw new AppError("FORBIDDEN", "Clerks cannot erase customers", { hint: "Ask a manager or an owner." });
    }
    await eraseCustomer(operation, id, { ...input }, claim);
    return answerCustomer(operation, id);
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => String, {
    description:
      "Exports everything about a customer as JSON: the customer, their store credit, and their orders with lines, payments and refunds, with the entries of the audit log about them. Names are those of the database. Fails with LIMIT_REACHED above 4 MB.",
  })
  exportCustomer(@ShopOperation() operation: AnsweredOperation, @Id("customer") id: string): Promise<string> {
    return exportCustomerText(operation, id);
  }
}
