import { cut } from "../../platform/texts.ts";
import { AppError } from "../model/errors.ts";
import { Plan, type Shop } from "../model/shops/shop.entity.ts";

const SUFFIX = " (Sandbox)";
const KEY_PREFIX = "Sandbox: ";
const MAX_NAME_LENGTH = 255;

/** SQL: how long an unused sandbox is kept. */
export const SANDBOX_LIFETIME = "interval '90 days'";

/** The name of a sandbox. */
export function sandboxName(name: string): string {
  return name.endsWith(SUFFIX) ? name : cut(name, MAX_NAME_LENGTH - SUFFIX.length) + SUFFIX;
}

/** The name of an API key. In a sandbox, it has a prefix. */
export function apiKeyName({ sandboxOf }: Pick<Shop, "sandboxOf">, name: string): string {
  return sandboxOf === null || name.startsWith(KEY_PREFIX) ? name : cut(KEY_PREFIX + name, MAX_NAME_LENGTH);
}

/** The plan of a shop's sandboxes: full access for as long as the shop has any. */
export function sandboxPlan({ plan, trialEndsAt }: Pick<Shop, "plan" | "trialEndsAt">) {
  return { plan: plan === Plan.GROWTH ? Plan.ENTERPRISE : plan, trialEndsAt };
}

/** @throws AppError INVALID_STATE for a shop that sells */
export function requireSandbox({ sandboxOf }: Pick<Shop, "sandboxOf">): void {
  if (sandboxOf === null) throw new AppError("INVALID_STATE", "Only a sandbox accepts simulations");
}

/** @throws AppError INVALID_STATE for a sandbox, because its shop decides */
export function requireNoSandbox({ sandboxOf }: Pick<Shop, "sandboxOf">, what: "plan" | "staff"): void {
  if (sandboxOf === null) return;
  throw new AppError("INVALID_STATE", `A sandbox has the ${what} of its shop, ${sandboxOf}. Change it there`);
}
