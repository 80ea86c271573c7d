import { z } from "zod";

/** When a credential that is made now ends: an instant that is not over yet, or never. */
export function credentialEnd(now: Date) {
  return z
    .date()
    .refine((instant) => instant > now, "Must be in the future")
    .nullish()
    .transform((instant) => instant ?? null);
}
