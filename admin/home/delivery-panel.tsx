import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { endpointsQuery } from "../endpoints/endpoint-queries.ts";
import { useShop } from "../queries.ts";
import { BarChart } from "../ui/chart.tsx";
import { Panel } from "../ui/panel.tsx";
import { Stat, Stats } from "../ui/stat.tsx";
import { formatHour } from "../ui/values/time.tsx";
import { formatNumber } from "../ui/values/money.ts";
import { copy as endpointCopy } from "../endpoints/copy.ts";
import { copy } from "./copy.ts";

const HEIGHT = 56;

/** The webhook delivery attempts of the last day, of all endpoints together. */
export function DeliveryPanel() {
  const { id: shopId } = useShop();
  const { webhookEndpoints, webhookEndpointLimit } = useSuspenseQuery(endpointsQuery(shopId)).data;
  const all = webhookEndpoints.flatMap(({ hourlyAttempts }) => hourlyAttempts);
  const hours = [...Map.groupBy(all, ({ hour }) => hour)].map(([hour, each]) => ({
    hour,
    attempts: each.reduce((sum, { attempts }) => sum + attempts, 0),
    failures: each.reduce((sum, { failures }) => sum + failures, 0),
  }));
  const attempts = hours.reduce((sum, each) => sum + each.attempts, 0);
  const failures = hours.reduce((sum, each) => sum + each.failures, 0);
  const pending = webhookEndpoints.reduce((sum, { health }) => sum + health.waitingDeliveries, 0);
  if (webhookEndpoints.length === 0) return <NoEndpoints canAdd={webhookEndpointLimit.maximum > 0} />;
  return (
    <Panel
      title={copy.deliveries.title}
      action={
        <Link to="/$shopId/deliveries" params={{ shopId }}>
          {copy.viewAll}
        </Link>
      }
    >
      <Stats>
        <Stat label={copy.deliveries.attempts}>{formatNumber(attempts)}</Stat>
        <Stat label={copy.deliveries.failures}>{formatNumber(failures)}</Stat>
        <Stat label={copy.deliveries.pending}>
          <Link to="/$shopId/deliveries" params={{ shopId }} search={{ status: "PENDING" }}>
            {formatNumber(pending)}
          </Link>
        </Stat>
      </Stats>
      <BarChart
        label={endpointCopy.figures.chart(formatNumber(attempts), formatNumber(failures))}
        height={HEIGHT}
        ends={endpointCopy.figures.ends}
        bars={hours.map((each) => ({
          label: endpointCopy.figures.hour(
            formatHour(each.hour),
            formatNumber(each.attempts),
            formatNumber(each.failures),
          ),
          good: each.attempts - each.failures,
          bad: each.failures,
        }))}
      />
    </Panel>
  );
}

function NoEndpoints({ canAdd }: { canAdd: boolean }) {
  const { id: shopId } = useShop();
  return (
    <Panel title={copy.deliveries.title}>
      <p>
        {copy.deliveries.none}{" "}
        {canAdd && (
          <Link to="/$shopId/endpoints" params={{ shopId }}>
            {copy.deliveries.add}
          </Link>
        )}
      </p>
    </Panel>
  );
}
