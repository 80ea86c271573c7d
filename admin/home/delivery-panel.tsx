import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { endpointsQuery } from "../endpoints/endpoint-queries.ts";
import { AttemptsChart, sumUp } from "../endpoints/figures.tsx";
import { useShop } from "../queries.ts";
import { Panel } from "../ui/panel.tsx";
import { Stat, Stats } from "../ui/stat.tsx";
import { formatNumber } from "../ui/values/money.ts";
import { copy } from "./copy.ts";

const HEIGHT = 56;

/** The webhook delivery attempts of the last day, of all endpoints together. */
export function DeliveryPanel() {
  const { id: shopId } = useShop();
  const { webhookEndpoints, webhookEndpointLimit } = useSuspenseQuery(endpointsQuery(shopId)).data;
  const all = webhookEndpoints.flatMap(({ hourlyAttempts }) => hourlyAttempts);
  const hours = [...Map.groupBy(all, ({ hour }) => hour)].map(([hour, each]) => ({ hour, ...sumUp(each) }));
  const { attempts, failures } = sumUp(all);
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
      <AttemptsChart hours={hours} height={HEIGHT} />
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
