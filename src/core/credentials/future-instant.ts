import { z } from "zod";

/** When a credential ends: an instant that is not over yet, or never. */
export function futureInstant() {
  return z
    .date()
    .refine((instant) => instant > new Date(), "Must be in the future")
    .nullish()
    .transform((instant) => instant ?? null);
}
