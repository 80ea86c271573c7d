import { Badge } from "../ui/values/badge.tsx";
import { Time } from "../ui/values/time.tsx";
import type { Delivery, DeliveryRow } from "./delivery-queries.ts";

export const statuses = [
  ["PENDING", "Waiting"],
  ["SUCCEEDED", "Succeeded"],
  ["FAILED", "Failed"],
] as const;

export const errorClasses = [
  ["HTTP_STATUS", "Answered with an error"],
  ["TIMEOUT", "No answer in time"],
  ["CONNECTION", "Connection broke"],
  ["DNS", "Name not found"],
  ["TLS", "No secure connection"],
  ["PROTOCOL", "Not HTTP"],
  ["TARGET_REFUSED", "Address refused"],
  ["ENDPOINT_DISABLED", "Endpoint disabled"],
  ["PLAN", "Not in the plan"],
] as const;

export const sayErrorClass = (errorClass: NonNullable<DeliveryRow["errorClass"]>) =>
  errorClasses.find(([each]) => each === errorClass)![1];

type Outcome = Pick<DeliveryRow, "status" | "responseStatus" | "errorClass" | "attemptCount" | "waitsFor">;

/** The outcome of a delivery, with the status of the answer if there was one. */
export function DeliveryBadge({ delivery }: { delivery: Outcome }) {
  const { status, responseStatus, errorClass, attemptCount, waitsFor } = delivery;
  if (status === "SUCCEEDED") return <Badge tone="good">Succeeded{responseStatus && ` · ${responseStatus}`}</Badge>;
  const why = responseStatus ?? (errorClass && sayErrorClass(errorClass));
  if (status === "FAILED") return <Badge tone="bad">Failed{why && ` · ${why}`}</Badge>;
  if (waitsFor === "PAUSED_ENDPOINT") return <Badge tone="warning">Waiting · paused</Badge>;
  if (waitsFor === "SUSPENDED_ENDPOINT") return <Badge tone="warning">Waiting · suspended</Badge>;
  return attemptCount === 0 ? <Badge>Waiting</Badge> : <Badge tone="warning">Retrying{why && ` · ${why}`}</Badge>;
}

/** The reason why the next attempt has not begun yet; null when there will be none. */
export function Waiting({ delivery: { waitsFor, nextAttemptAt, endpoint } }: { delivery: Delivery }) {
  if (waitsFor === null) return null;
  if (waitsFor === "PAUSED_ENDPOINT") return "It is sent when somebody unpauses the endpoint.";
  if (waitsFor === "SUSPENDED_ENDPOINT") {
    const nextProbeAt = endpoint?.health.nextProbeAt;
    return (
      <>
        It waits until the endpoint is healthy again. One delivery tests that
        {nextProbeAt ? (
          <>
            {" "}
            <Time value={nextProbeAt} />
          </>
        ) : (
          " soon"
        )}
        .
      </>
    );
  }
  return nextAttemptAt ? (
    <>
      The next attempt is due <Time value={nextAttemptAt} />.
    </>
  ) : (
    "It is sent at once."
  );
}
