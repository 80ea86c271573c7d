import { tellNumber } from "../ui/values/money.ts";
import { Badge } from "../ui/values/badge.tsx";
import { Notice } from "../ui/states.tsx";
import { Time } from "../ui/values/time.tsx";
import type { EndpointRow } from "./endpoint-queries.ts";

const states = {
  HEALTHY: ["good", "Healthy"],
  FAILING: ["warning", "Failing"],
  SUSPENDED: ["bad", "Suspended"],
  DISABLED: ["bad", "Disabled"],
} as const;

export function HealthBadge({ endpoint: { paused, health } }: { endpoint: EndpointRow }) {
  const [tone, word] = states[health.status];
  return (
    <>
      {paused && <Badge tone="warning">Paused</Badge>} {health.isSlow && <Badge tone="warning">Slow</Badge>}{" "}
      <Badge tone={tone}>{word}</Badge>
    </>
  );
}

/** The health of an endpoint in a sentence, and what comes next. */
export function Health({ endpoint }: { endpoint: EndpointRow }) {
  const { status } = endpoint.health;
  const text = <Sentence endpoint={endpoint} />;
  return (
    <>
      {endpoint.paused && <Notice tone="warning">It is paused. Events are kept, and sent once it is unpaused.</Notice>}
      {status === "HEALTHY" ? (
        <p>{text}</p>
      ) : (
        <Notice tone={states[status][0] === "bad" ? "bad" : "warning"}>{text}</Notice>
      )}
      {endpoint.health.isSlow && <SlowNotice />}
    </>
  );
}

const SlowNotice = () => (
  <Notice tone="warning">
    It answers slowly: more than 5 % of attempts in the last 24 hours took over three seconds. Answer 2xx first, then do
    the work. Attempts that take more than 10 seconds fail. <a href="/docs#answering">How to answer quickly</a>
  </Notice>
);

function Sentence({ endpoint }: { endpoint: EndpointRow }) {
  const { status, failingSince, disablesAt, disabledAt, disabledReason, nextProbeAt } = endpoint.health;
  const failures = describeFailures(endpoint.health.consecutiveFailures);
  const since = failingSince && (
    <>
      , since <Time value={failingSince} />
    </>
  );
  if (status === "HEALTHY") return sayHealthy(endpoint);
  if (status === "FAILING") {
    return (
      <>
        {failures}
        {since}. Deliveries are still sent.{" "}
        {disablesAt && (
          <>
            If none succeeds, it is disabled <Time value={disablesAt} /> at the earliest.
          </>
        )}
      </>
    );
  }
  if (status === "SUSPENDED") {
    return (
      <>
        {failures}
        {since}. One delivery at a time tests whether it is healthy again
        {nextProbeAt && (
          <>
            , next <Time value={nextProbeAt} />
          </>
        )}
        . The others wait, and lose no attempts.
      </>
    );
  }
  return (
    <>
      It was disabled {disabledAt && <Time value={disabledAt} />}:{" "}
      {disabledReason === "GONE" ? "the receiver answered 410 Gone" : "every attempt of five days failed"}. A test event
      that succeeds enables it. Then replay what it missed.
    </>
  );
}

const describeFailures = (count: number) =>
  count === 1 ? "The last attempt failed" : `The last ${tellNumber(count)} attempts failed`;

function sayHealthy({ health, hourlyAttempts }: EndpointRow): string {
  const attempts = hourlyAttempts.reduce((sum, each) => sum + each.attempts, 0);
  const failures = hourlyAttempts.reduce((sum, each) => sum + each.failures, 0);
  if (attempts === 0) return "All is well. Nothing was sent in the last 24 hours.";
  if (failures === 0) return `${health.isSlow ? "" : "All is well. "}Every attempt of the last 24 hours succeeded.`;
  return `The last attempt succeeded. ${tellNumber(failures)} of ${tellNumber(attempts)} failed in the last 24 hours.`;
}
