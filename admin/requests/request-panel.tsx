import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { BarChart } from "../ui/chart.tsx";
import { optionsOf, Select } from "../ui/forms/select.tsx";
import { Panel } from "../ui/panel.tsx";
import { Stat, Stats } from "../ui/stat.tsx";
import { formatHour, formatWeekday } from "../ui/values/time.tsx";
import { formatNumber } from "../ui/values/money.ts";
import { hourlyRequestsQuery, type HourlyRequests } from "./request-queries.ts";
import { copy } from "./copy.ts";

const HEIGHT = 56;
const periods = optionsOf<keyof typeof copy.panel.periods>(copy.panel.periods);

/** The requests of the last day or week and their errors over time. */
export function RequestPanel({ isOverview = false }: { isOverview?: boolean }) {
  const { id: shopId } = useShop();
  const { data } = useSuspenseQuery(hourlyRequestsQuery(shopId));
  const [period, setPeriod] = useState<keyof typeof copy.panel.periods>("day");
  const bars =
    period === "day"
      ? data.slice(-24).map((each) => sumUp(formatHour(each.hour), [each]))
      : [...Map.groupBy(data, ({ hour }) => new Date(hour).toDateString()).values()]
          .slice(-7)
          .map((hours) => sumUp(formatWeekday(hours[0]!.hour), hours));
  const total = sumUp(copy.panel.periods[period], bars);
  const errors = total.clientErrors + total.serverErrors;
  return (
    <Panel
      title={copy.panel.title}
      action={
        <>
          <Select
            label={copy.panel.period}
            value={period}
            options={periods}
            onChange={(chosen) => setPeriod(chosen ?? "day")}
          />
          {isOverview && (
            <Link to="/$shopId/requests" params={{ shopId }}>
              {copy.panel.viewAll}
            </Link>
          )}
        </>
      }
    >
      <Stats>
        <Stat label={copy.panel.requests}>{formatNumber(total.requests)}</Stat>
        <Stat label={copy.panel.clientErrors}>
          <Link to="/$shopId/requests" params={{ shopId }} search={{ status: "4xx" }}>
            {formatNumber(total.clientErrors)}
          </Link>
        </Stat>
        <Stat label={copy.panel.serverErrors}>
          <Link to="/$shopId/requests" params={{ shopId }} search={{ status: "5xx" }}>
            {formatNumber(total.serverErrors)}
          </Link>
        </Stat>
      </Stats>
      <BarChart
        label={copy.panel.describe(total.label, formatNumber(total.requests), formatNumber(errors))}
        height={HEIGHT}
        format={formatNumber}
        ends={[period === "day" ? copy.panel.dayAgo : bars[0]!.label, copy.panel.now]}
        bars={bars.map(({ label, requests, clientErrors, serverErrors }) => ({
          label: copy.panel.describe(label, formatNumber(requests), formatNumber(clientErrors + serverErrors)),
          good: requests - clientErrors - serverErrors,
          bad: clientErrors + serverErrors,
        }))}
      />
    </Panel>
  );
}

type Counts = Omit<HourlyRequests, "hour">;

const sumUp = (label: string, parts: readonly Counts[]) => ({
  label,
  requests: parts.reduce((sum, { requests }) => sum + requests, 0),
  clientErrors: parts.reduce((sum, { clientErrors }) => sum + clientErrors, 0),
  serverErrors: parts.reduce((sum, { serverErrors }) => sum + serverErrors, 0),
});
