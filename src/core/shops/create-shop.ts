import type { EntityManager, RequiredEntityData } from "@mikro-orm/postgresql";
import { z } from "zod";
import type { Actor } from "../access/actor.ts";
import type { Operation } from "../access/operation.ts";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import { recordAudit, type AuditDetails } from "../audit/record-audit.ts";
import { newId } from "../model/ids.ts";
import { currencyDecimals } from "../../platform/currencies.ts";
import { databaseTime } from "../queries/database-time.ts";
import { line } from "../model/text.ts";
import { taxRate } from "../validation/amount.ts";
import { parseInput } from "../validation/input.ts";
import { Plan, Shop } from "../model/shops/shop.entity.ts";
import { transactional } from "../queries/transaction.ts";
import { readCashRounding } from "./read-cash-rounding.ts";

const createShopSchema = z
  .strictObject({
    name: line({ max: 255 }),
    plan: z.enum(Plan),
    trialEndsAt: z.date().nullable().default(null),
    pricesIncludeTax: z.boolean().default(false),
    cashRounding: z.string().default("0"),
    defaultTaxRate: z
      .string()
      .regex(/^\d{1,3}(\.\d{1,9})?$/, "Must be a percentage from 0 to 100, such as 19 or 8.875")
      .pipe(taxRate)
      .nullable()
      .default(null),
    allowsOverselling: z.boolean().default(false),
    requiresSecondFactor: z.boolean().default(false),
    currency: z
      .string()
      .refine((code) => currencyDecimals.has(code), "Must be a current ISO 4217 currency code, such as EUR"),
  })
  .refine((shop) => shop.plan !== Plan.TRIAL || shop.trialEndsAt !== null, {
    path: ["trialEndsAt"],
    error: "Is required for a trial",
  });

/** @throws AppError VALIDATION_FAILED */
export async function createShop(
  em: EntityManager,
  actor: Actor,
  request: z.input<typeof createShopSchema>,
): Promise<Shop> {
  const input = parseInput(createShopSchema, request);
  const currency = { currency: input.currency, currencyDecimals: currencyDecimals.get(input.currency)! };
  const cashRounding = readCashRounding(input.cashRounding, currency);
  const shop = { ...input, ...currency, cashRounding };
  return transactional(em, (transaction) => insertShop({ em: transaction, actor }, shop));
}

/** Inserts a shop in the given transaction, with an audit entry, to which `more` adds. */
export async function insertShop(
  { em, actor }: Pick<Operation, "em" | "actor">,
  fields: Omit<RequiredEntityData<Shop>, "id" | "createdAt">,
  more: AuditDetails = {},
): Promise<Shop> {
  const shop = em.create(Shop, { ...fields, id: newId("shop"), createdAt: await databaseTime(em) });
  await em.persist(shop).flush();
  const details = {
    plan: shop.plan,
    ...(shop.trialEndsAt && { trialEndsAt: shop.trialEndsAt.toISOString() }),
    currency: shop.currency,
    ...(shop.pricesIncludeTax && { pricesIncludeTax: "true" }),
    ...(Number(shop.cashRounding) > 0 && { cashRounding: shop.cashRounding }),
    ...(shop.defaultTaxRate !== null && { defaultTaxRate: shop.defaultTaxRate }),
    ...more,
  };
  await recordAudit({ em, shop, actor }, { action: AuditAction.SHOP_CREATED, target: shop, details });
  return shop;
}
