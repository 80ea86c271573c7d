import { Arg, Authorized, Ctx, FieldResolver, InputType, Int, Resolver, Root } from "type-graphql";
import { ShopOperation, type AnsweredOperation } from "../../access/operation.ts";
import type { CoreContext } from "../../context.ts";
import { EmittingMutation } from "../../mutations/emitting-mutation.ts";
import { Claim, type IdempotencyClaim } from "../../idempotency/run-idempotent.ts";
import { checkPage } from "../../queries/list.ts";
import { field, inputOf } from "../../model/fields.ts";
import { Permission } from "../../model/permissions.ts";
import { DecimalScalar } from "../../model/scalars.ts";
import { Customer, StoreCreditEntry } from "../../model/customers/customer.entity.ts";
import { changeStoreCreditOnce } from "./change-store-credit.ts";
import { answerCustomer, type ShownCustomer } from "../read-customers.ts";
import { Selected, type Selection } from "../../queries/selection.ts";
import { loaderOf } from "../../queries/loader-of.ts";
import { loadStoreCreditEntries, type ShownStoreCreditEntry } from "./load-store-credit-entries.ts";
import { Id } from "../../mutations/operation-arguments.ts";

const DEFAULT_ENTRIES = 20;

@InputType({ description: "Store credit to grant or to spend." })
class StoreCreditInput extends inputOf({
  amount: field(
    DecimalScalar,
    "The amount. More than 0, with no more decimals than the shop's currency. The balance can have at most 12 digits before the decimal point, and at most 15 in total.",
  ),
  reason: field(String, "The reason, 1 to 255 characters after trimming."),
}) {}

@Resolver(() => Customer)
export class CustomerStoreCreditResolver {
  @FieldResolver(() => [StoreCreditEntry], { description: "Changes to the store credit, newest first." })
  async storeCreditEntries(
    @Root() { shopId, id }: Customer,
    @Ctx() context: CoreContext,
    @Arg("limit", () => Int, { defaultValue: DEFAULT_ENTRIES, description: "The number of entries, 1 to 250." })
    limit: number,
    @Selected() { fields }: Selection,
  ): Promise<ShownStoreCreditEntry[]> {
    checkPage({ limit });
    return loaderOf(context, loadStoreCreditEntries).load({ shopId, id, limit, fields });
  }
}

@Authorized(Permission.WRITE_CUSTOMERS)
@Resolver()
export class StoreCreditMutations {
  @EmittingMutation(() => Customer, { description: "Adds store credit to a customer.", emits: ["customer.updated"] })
  async grantStoreCredit(
    @ShopOperation() operation: AnsweredOperation,
    @Id("customer", "customerId") customerId: string,
    @Arg("input", () => StoreCreditInput, { description: "The amount and the reason." }) input: StoreCreditInput,
    @Claim() claim?: IdempotencyClaim,
  ): Promise<ShownCustomer | undefined> {
    await changeStoreCreditOnce(operation, "grantStoreCredit", { customerId, input: { ...input }, claim });
    return answerCustomer(operation, customerId);
  }

  @EmittingMutation(() => Customer, {
    description:
      "Deducts store credit from a customer. Fails with INSUFFICIENT_STORE_CREDIT if the balance is too low.",
    emits: ["customer.updated"],
  })
  async spendStoreCredit(
    @ShopOperation() operation: AnsweredOperation,
    @Id("customer", "customerId") customerId: string,
    @Arg("input", () => StoreCreditInput, { description: "The amount and the reason." }) input: StoreCreditInput,
    @Claim() claim?: IdempotencyClaim,
  ): Promise<ShownCustomer | undefined> {
    await changeStoreCreditOnce(operation, "spendStoreCredit", { customerId, input: { ...input }, claim });
    return answerCustomer(operation, customerId);
  }
}
