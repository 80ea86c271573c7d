import { z } from "zod";
import { invalidInput } from "../../platform/errors.ts";

/** When a credential ends: an instant, or never. */
export const credentialEnd = z
  .date()
  .nullish()
  .transform((instant) => instant ?? null);

/** @throws AppError VALIDATION_FAILED when a credential were to end before it begins */
export function checkFuture(expiresAt: Date | null, now: Date): void {
  if (expiresAt === null || expiresAt > now) return;
  throw invalidInput([{ path: "expiresAt", code: "invalid_value", message: "Must be in the future" }]);
}
