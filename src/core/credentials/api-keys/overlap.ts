import { z } from "zod";

const HOUR = 3_600_000;

/** The hours for which an old secret works beside its successor: 0 to 7 days. */
export const overlapHours = z.int().min(0).max(168).default(24);

export function overlapEnd(start: Date, hours: number): Date {
  return new Date(start.getTime() + hours * HOUR);
}
