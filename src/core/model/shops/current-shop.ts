import { sql } from "kysely";
import type { Shop } from "./shop.entity.ts";

/** A shop as read recently. */
export interface CurrentShop extends Shop {
  /** True for a trial that has ended by PostgreSQL's clock. */
  trialHasEnded: boolean;
  /** True for a sandbox that was not opened for a day. */
  isIdle?: boolean | null;
}

/** Selects a `CurrentShop` from `shops`. */
export const selectShop = [
  "shops.id",
  "shops.name",
  "shops.plan",
  "shops.trial_ends_at as trialEndsAt",
  sql<boolean>`shops.plan = 'TRIAL' and shops.trial_ends_at <= now()`.as("trialHasEnded"),
  "shops.currency",
  "shops.currency_decimals as currencyDecimals",
  "shops.prices_include_tax as pricesIncludeTax",
  "shops.cash_rounding as cashRounding",
  "shops.default_tax_rate as defaultTaxRate",
  "shops.allows_overselling as allowsOverselling",
  "shops.closed_at as closedAt",
  "shops.deletion_started_at as deletionStartedAt",
  "shops.requires_second_factor as requiresSecondFactor",
  "shops.sandbox_of as sandboxOf",
  "shops.sandbox_state as sandboxState",
  "shops.sandbox_content as sandboxContent",
  sql<boolean | null>`shops.sandbox_used_at < now() - interval '1 day'`.as("isIdle"),
  "shops.created_at as createdAt",
] as const;

/** SQL: true when the shop's plan includes the API and webhooks. */
export const hasApiAccess = `case shops.plan when 'TRIAL' then shops.trial_ends_at > now() else shops.plan <> 'NONE' end`;
