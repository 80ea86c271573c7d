import { Link } from "@tanstack/react-router";
import { BarChart } from "../ui/chart.tsx";
import { Stat, Stats } from "../ui/stat.tsx";
import { formatDuration, formatHour } from "../ui/values/time.tsx";
import { formatNumber } from "../ui/values/money.ts";
import type { EndpointRow } from "./endpoint-queries.ts";
import { PullFigures } from "./pull.tsx";
import { copy } from "./copy.ts";

const HEIGHT = 40;

/** The deliveries of an endpoint that wait or have failed, and its attempts of the last 24 hours by the hour. */
export function Figures({ shopId, endpoint }: { shopId: string; endpoint: EndpointRow }) {
  const { id, health, failedDeliveryCount, hourlyAttempts, pull } = endpoint;
  const attempts = hourlyAttempts.reduce((sum, each) => sum + each.attempts, 0);
  const failures = hourlyAttempts.reduce((sum, each) => sum + each.failures, 0);
  const slowest = Math.max(0, ...hourlyAttempts.map(({ p95Ms }) => p95Ms ?? 0));
  const count = (search: object, deliveries: number) => (
    <Link to="/$shopId/deliveries" params={{ shopId }} search={{ endpoint: id, ...search }}>
      {formatNumber(deliveries)}
    </Link>
  );
  const failed = (
    <Stat label={copy.figures.failed} detail={copy.figures.failedHint}>
      {count({ status: "FAILED", since: "1" }, failedDeliveryCount)}
    </Stat>
  );
  if (pull) return <PullFigures pull={pull} waiting={count({ status: "PENDING" }, pull.waiting)} failed={failed} />;
  return (
    <>
      <Stats>
        <Stat label={copy.figures.attempts} detail={copy.figures.failedAttempts(formatNumber(failures))}>
          {formatNumber(attempts)}
        </Stat>
        <Stat label={copy.figures.pending} detail={copy.figures.pendingHint}>
          {count({ status: "PENDING" }, health.waitingDeliveries)}
        </Stat>
        {failed}
        <Stat label={copy.figures.slowest} detail={copy.figures.slowestHint}>
          {slowest > 0 ? formatDuration(slowest) : "–"}
        </Stat>
      </Stats>
      <BarChart
        label={copy.figures.chart(formatNumber(attempts), formatNumber(failures))}
        height={HEIGHT}
        ends={copy.figures.ends}
        bars={hourlyAttempts.map((each) => ({
          label: copy.figures.hour(formatHour(each.hour), formatNumber(each.attempts), formatNumber(each.failures)),
          good: each.attempts - each.failures,
          bad: each.failures,
        }))}
      />
    </>
  );
}
