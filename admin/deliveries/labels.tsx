import { Badge } from "../ui/values/badge.tsx";
import { Time } from "../ui/values/time.tsx";
import type { Delivery, DeliveryRow } from "./delivery-queries.ts";
import { optionsOf } from "../ui/forms/select.tsx";
import { Sentence } from "../ui/sentence.tsx";
import { copy } from "./copy.ts";

type ErrorClass = NonNullable<DeliveryRow["errorClass"]>;

export const statuses = optionsOf<DeliveryRow["status"]>(copy.statuses);
export const errorClasses = optionsOf<ErrorClass>(copy.errorClasses);

type Outcome = Pick<DeliveryRow, "status" | "responseStatus" | "errorClass" | "attemptCount" | "waitsFor">;

/** The status of a delivery, with the response's status or the error. */
export function DeliveryBadge({ delivery }: { delivery: Outcome }) {
  const { status, responseStatus, errorClass, attemptCount, waitsFor } = delivery;
  if (status === "SUCCEEDED") return <Badge tone="good">{withReason(copy.statuses.SUCCEEDED, responseStatus)}</Badge>;
  const reason = responseStatus ?? (errorClass && copy.errorClasses[errorClass]);
  if (status === "FAILED") return <Badge tone="bad">{withReason(copy.statuses.FAILED, reason)}</Badge>;
  if (waitsFor === "PAUSED_ENDPOINT") {
    return <Badge tone="warning">{withReason(copy.statuses.PENDING, copy.paused)}</Badge>;
  }
  if (waitsFor === "SUSPENDED_ENDPOINT") {
    return <Badge tone="warning">{withReason(copy.statuses.PENDING, copy.suspended)}</Badge>;
  }
  if (attemptCount === 0 || waitsFor === "RECEIVER") return <Badge>{copy.statuses.PENDING}</Badge>;
  return <Badge tone="warning">{withReason(copy.retrying, reason)}</Badge>;
}

const withReason = (status: string, reason: string | number | null) =>
  reason === null ? status : copy.withReason(status, reason);

interface Suspended {
  endpoint: { health: { nextProbeAt: string | null } } | null;
}

/** Why a pending delivery waits; null when there will be no attempt. */
export function Waiting({
  delivery,
}: {
  delivery: Pick<Delivery, "waitsFor" | "nextAttemptAt" | "lastAttemptAt"> & Suspended;
}) {
  const { waitsFor, nextAttemptAt, lastAttemptAt, endpoint } = delivery;
  if (waitsFor === null) return null;
  if (waitsFor === "PAUSED_ENDPOINT") return copy.waiting.paused;
  if (waitsFor === "RECEIVER") return lastAttemptAt ? copy.waiting.acknowledgment : copy.waiting.receiver;
  if (waitsFor === "SUSPENDED_ENDPOINT") {
    const nextProbeAt = endpoint?.health.nextProbeAt;
    if (!nextProbeAt) return copy.waiting.suspendedSoon;
    return <Sentence text={copy.waiting.suspended} parts={{ time: <Time value={nextProbeAt} /> }} />;
  }
  if (!nextAttemptAt) return copy.waiting.now;
  return <Sentence text={copy.waiting.scheduled} parts={{ time: <Time value={nextAttemptAt} /> }} />;
}
