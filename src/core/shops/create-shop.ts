import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { newId } from "../ids.ts";
import { databaseTime } from "../queries/database-time.ts";
import { parseInput, text } from "../validation/input.ts";
import { Plan, Shop } from "./shop.entity.ts";

const currencies = new Set(Intl.supportedValuesOf("currency"));

const createShopSchema = z
  .strictObject({
    name: text({ min: 1, max: 255, trim: true }),
    plan: z.enum(Plan),
    trialEndsAt: z.date().nullable().default(null),
    allowsOverselling: z.boolean().default(false),
    requiresSecondFactor: z.boolean().default(false),
    currency: z.string().refine((code) => currencies.has(code), "Must be an ISO 4217 currency code"),
  })
  .refine((shop) => shop.plan !== Plan.TRIAL || shop.trialEndsAt !== null, {
    path: ["trialEndsAt"],
    error: "Is required for a trial",
  });

/** @throws AppError VALIDATION_FAILED */
export async function createShop(em: EntityManager, request: z.input<typeof createShopSchema>): Promise<Shop> {
  const input = parseInput(createShopSchema, request);
  return em.transactional(async (transaction) => {
    const shop = transaction.create(Shop, { ...input, id: newId("shop"), createdAt: await databaseTime(transaction) });
    transaction.persist(shop);
    return shop;
  });
}
