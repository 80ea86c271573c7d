import { Link } from "@tanstack/react-router";
import { BarChart } from "../ui/chart.tsx";
import { Stat, Stats } from "../ui/stat.tsx";
import { formatDuration, formatHour } from "../ui/values/time.tsx";
import { formatNumber } from "../ui/values/money.ts";
import type { EndpointRow } from "./endpoint-queries.ts";
import { formatCount, PullFigures } from "./pull.tsx";
import { copy } from "./copy.ts";

const HEIGHT = 40;

/** The deliveries of an endpoint that wait or have failed, and its attempts of the last 24 hours by the hour. */
export function Figures({ shopId, endpoint }: { shopId: string; endpoint: EndpointRow }) {
  const { id, health, failedDeliveryCount, hourlyAttempts, pull } = endpoint;
  const { attempts, failures } = sumUp(hourlyAttempts);
  const slowest = Math.max(0, ...hourlyAttempts.map(({ p95Ms }) => p95Ms ?? 0));
  const link = (search: object, count: string) => (
    <Link to="/$shopId/deliveries" params={{ shopId }} search={{ endpoint: id, ...search }}>
      {count}
    </Link>
  );
  const failed = (
    <Stat label={copy.figures.failed} detail={copy.figures.failedHint}>
      {link({ status: "FAILED", since: "1" }, formatNumber(failedDeliveryCount))}
    </Stat>
  );
  const pending = link({ status: "PENDING" }, formatCount(pull?.waiting ?? health.waitingDeliveries));
  if (pull) return <PullFigures pull={pull} waiting={pending} failed={failed} />;
  return (
    <>
      <Stats>
        <Stat label={copy.figures.attempts} detail={copy.figures.failedAttempts(formatNumber(failures))}>
          {formatNumber(attempts)}
        </Stat>
        <Stat label={copy.figures.pending} detail={copy.figures.pendingHint}>
          {pending}
        </Stat>
        {failed}
        <Stat label={copy.figures.slowest} detail={copy.figures.slowestHint}>
          {slowest > 0 ? formatDuration(slowest) : "–"}
        </Stat>
      </Stats>
      <AttemptsChart hours={hourlyAttempts} height={HEIGHT} />
    </>
  );
}

type Attempts = Pick<EndpointRow["hourlyAttempts"][number], "attempts" | "failures">;

/** The attempts of several hours or endpoints. */
export const sumUp = (parts: readonly Attempts[]): Attempts => ({
  attempts: parts.reduce((sum, each) => sum + each.attempts, 0),
  failures: parts.reduce((sum, each) => sum + each.failures, 0),
});

/** The attempts of the last 24 hours, by the hour. */
export function AttemptsChart({ hours, height }: { hours: readonly (Attempts & { hour: string })[]; height: number }) {
  const { attempts, failures } = sumUp(hours);
  return (
    <BarChart
      label={copy.figures.chart(formatNumber(attempts), formatNumber(failures))}
      height={height}
      format={formatNumber}
      ends={copy.figures.ends}
      bars={hours.map((each) => ({
        label: copy.figures.hour(formatHour(each.hour), formatNumber(each.attempts), formatNumber(each.failures)),
        good: each.attempts - each.failures,
        bad: each.failures,
      }))}
    />
  );
}
