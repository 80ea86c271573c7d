import { newId } from "../../../../src/core/model/ids.ts";
import { repeated, type Scenario, type Scenarios } from "./scene.ts";

const ada = { email: "ada@example.com", firstName: "Ada", lastName: "Example", phone: "+49 30 123", note: "Likes tea" };

const credit =
  (amount: string): Scenario["given"] =>
  ({ customer }) => ({ customerId: customer.id, input: { amount, reason: "Test" } });

const nobody: Scenario = {
  when: "of nobody",
  unchanged: true,
  refused: ["NOT_FOUND"],
  given: () => ({ customerId: newId("cus"), input: { amount: "1", reason: "Test" } }),
};

export const customerScenarios: Scenarios = {
  createCustomer: [
    { when: "with everything", emits: ["customer.created"], given: () => ({ input: ada }) },
    repeated("createCustomer", () => ({ input: ada })),
    {
      when: "with an address that is taken",
      unchanged: true,
      refused: ["VALIDATION_FAILED"],
      given: async (scene) => {
        await scene.do("createCustomer", { input: ada });
        return { input: { email: ada.email.toUpperCase() } };
      },
    },
  ],
  updateCustomer: [
    {
      when: "with another name",
      emits: ["customer.updated"],
      given: ({ customer }) => ({ id: customer.id, input: { firstName: "Grace" } }),
    },
    {
      when: "with everything else than it was",
      emits: ["customer.updated"],
      given: ({ customer }) => ({ id: customer.id, input: { ...ada, firstName: "Grace" }, expectedVersion: 1 }),
    },
    {
      when: "with what it is already",
      unchanged: true,
      given: async (scene) => {
        const { id } = await scene.do("createCustomer", { input: ada });
        return { id, input: { ...ada, firstName: " Ada " } };
      },
    },
    { when: "with nothing", unchanged: true, given: ({ customer }) => ({ id: customer.id, input: {} }) },
    {
      when: "from another version",
      unchanged: true,
      refused: ["VERSION_CONFLICT"],
      given: ({ customer }) => ({ id: customer.id, input: { firstName: "Grace" }, expectedVersion: 2 }),
    },
  ],
  grantStoreCredit: [
    { when: "once", emits: ["customer.updated"], given: credit("10.00") },
    repeated("grantStoreCredit", credit("10.00")),
    nobody,
  ],
  spendStoreCredit: [
    { when: "to the last", emits: ["customer.updated"], given: credit("50.00") },
    repeated("spendStoreCredit", credit("10.00")),
    { when: "beyond the last", unchanged: true, refused: ["INSUFFICIENT_STORE_CREDIT"], given: credit("50.01") },
    nobody,
  ],
};
