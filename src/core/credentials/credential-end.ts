import { z } from "zod";

/** The expiry of a new credential: a future time, or null for never. */
export function credentialEnd(now: Date) {
  return z
    .date()
    .refine((instant) => instant > now, "Must be in the future")
    .nullish()
    .transform((instant) => instant ?? null);
}
