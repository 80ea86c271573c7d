import { z } from "zod";

/** The end of a credential that is made now: an instant in the future, or never. */
export function credentialEnd(now: Date) {
  return z
    .date()
    .refine((instant) => instant > now, "Must be in the future")
    .nullish()
    .transform((instant) => instant ?? null);
}
