import { formatNumber } from "../ui/values/money.ts";
import { Badge } from "../ui/values/badge.tsx";
import { Notice } from "../ui/states.tsx";
import { Time } from "../ui/values/time.tsx";
import type { EndpointRow } from "./endpoint-queries.ts";
import { Sentence } from "../ui/sentence.tsx";
import { copy } from "./copy.ts";

const tones = { HEALTHY: "good", FAILING: "warning", SUSPENDED: "bad", DISABLED: "bad" } as const;

export function HealthBadge({ endpoint: { paused, health } }: { endpoint: EndpointRow }) {
  return (
    <>
      {paused && <Badge tone="warning">{copy.health.paused}</Badge>}{" "}
      {health.isSlow && <Badge tone="warning">{copy.health.slow}</Badge>}{" "}
      <Badge tone={tones[health.status]}>{copy.health.statuses[health.status]}</Badge>
    </>
  );
}

/** Describes an endpoint's health and what happens next. */
export function Health({ endpoint }: { endpoint: EndpointRow }) {
  const { status, isSlow } = endpoint.health;
  return (
    <>
      {endpoint.paused && <Notice tone="warning">{copy.health.pausedText}</Notice>}
      {status === "HEALTHY" ? (
        <p>{describeHealthy(endpoint)}</p>
      ) : (
        <Notice tone={tones[status]}>
          <Problem endpoint={endpoint} />
        </Notice>
      )}
      {isSlow && (
        <Notice tone="warning">
          <Sentence
            text={copy.health.slowText}
            parts={{ link: <a href="/docs#answering">{copy.health.slowLink}</a> }}
          />
        </Notice>
      )}
    </>
  );
}

/** Describes an endpoint that is failing, suspended or disabled. */
function Problem({ endpoint: { health } }: { endpoint: EndpointRow }) {
  const { status, consecutiveFailures, failingSince, disablesAt, disabledAt, disabledReason, nextProbeAt } = health;
  const text = copy.health;
  if (status === "DISABLED") {
    return (
      <>
        <Timed text={disabledReason === "GONE" ? text.gone : text.neverSucceeded} time={disabledAt} />
        {text.enable}
      </>
    );
  }
  return (
    <>
      {text.failures(consecutiveFailures, formatNumber(consecutiveFailures))}{" "}
      <Timed text={text.failingSince} time={failingSince} /> {text.failingTopics(health.failingTopics)}{" "}
      {status === "SUSPENDED" ? text.probing : text.stillSending}{" "}
      {status === "SUSPENDED" ? (
        <Timed text={text.nextProbe} time={nextProbeAt} />
      ) : (
        <Timed text={text.disables} time={disablesAt} />
      )}
    </>
  );
}

/** A sentence with a time, followed by a space; nothing without the time. */
function Timed({ text, time }: { text: string; time: string | null }) {
  return (
    time && (
      <>
        <Sentence text={text} parts={{ time: <Time value={time} /> }} />{" "}
      </>
    )
  );
}

function describeHealthy({ hourlyAttempts }: EndpointRow): string {
  const attempts = hourlyAttempts.reduce((sum, each) => sum + each.attempts, 0);
  const failures = hourlyAttempts.reduce((sum, each) => sum + each.failures, 0);
  if (attempts === 0) return copy.health.nothingSent;
  if (failures === 0) return copy.health.allSucceeded;
  return copy.health.someFailed(formatNumber(failures), formatNumber(attempts));
}
