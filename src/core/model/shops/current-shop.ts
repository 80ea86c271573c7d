import type { Shop } from "./shop.entity.ts";

/** A shop as it was a moment ago. */
export interface CurrentShop extends Shop {
  /** True for a trial that is over, by PostgreSQL's clock. */
  trialHasEnded: boolean;
}

const columns: Record<keyof CurrentShop & string, string> = {
  id: "shops.id",
  name: "shops.name",
  plan: "shops.plan",
  trialEndsAt: "shops.trial_ends_at",
  trialHasEnded: "shops.plan = 'TRIAL' and shops.trial_ends_at <= now()",
  currency: "shops.currency",
  currencyDecimals: "shops.currency_decimals",
  allowsOverselling: "shops.allows_overselling",
  closedAt: "shops.closed_at",
  requiresSecondFactor: "shops.requires_second_factor",
  createdAt: "shops.created_at",
};

/** SQL: the columns of a `CurrentShop` from `shops`. */
export const shopColumns = Object.entries(columns)
  .map(([name, column]) => `${column} as "${name}"`)
  .join(", ");

/** SQL: true when the plan of `shops` lets the shop use the API, and so hear of its events (spec section 5). */
export const hasApiAccess = `case shops.plan when 'TRIAL' then shops.trial_ends_at > now() else shops.plan <> 'NONE' end`;
