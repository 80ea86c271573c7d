import type { Shop } from "./shop.entity.ts";

/** A shop as it was a moment ago. */
export interface CurrentShop extends Shop {
  /** True for a trial that is over, by PostgreSQL's clock. */
  trialHasEnded: boolean;
}

/** SQL: the columns of a `CurrentShop` from `shops`. */
export const shopColumns = `shops.id, shops.name, shops.plan, shops.trial_ends_at as "trialEndsAt",
  shops.plan = 'TRIAL' and shops.trial_ends_at <= now() as "trialHasEnded", shops.currency,
  shops.allows_overselling as "allowsOverselling", shops.closed_at as "closedAt",
  shops.requires_second_factor as "requiresSecondFactor", shops.created_at as "createdAt"`;

/** SQL: whether the plan of `shops` lets the shop use the API, and so hear of its events (spec section 5). */
export const hasApiAccess = `case shops.plan when 'TRIAL' then shops.trial_ends_at > now() else shops.plan <> 'NONE' end`;
