import { customerScenarios } from "./customers.ts";
import { orderScenarios } from "./orders.ts";
import { paymentScenarios } from "./payments.ts";
import { productScenarios } from "./products.ts";
import type { Scenarios } from "./scene.ts";
import { settingsScenarios, staffScenarios } from "./settings.ts";
import { stockScenarios } from "./stock.ts";

/** Every mutation of the schema, in every case that differs in its events. */
export const scenarios: Scenarios = {
  ...productScenarios,
  ...stockScenarios,
  ...customerScenarios,
  ...orderScenarios,
  ...paymentScenarios,
  ...settingsScenarios,
  ...staffScenarios,
};
