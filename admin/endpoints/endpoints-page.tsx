import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { tellNumber } from "../ui/values/money.ts";
import { Page, Toolbar } from "../ui/page.tsx";
import { Quota } from "../ui/values/quota.tsx";
import { Empty, Notice } from "../ui/states.tsx";
import { Activity } from "./activity.tsx";
import { CreateEndpointDialog } from "./create-endpoint.tsx";
import { endpointsQuery, type EndpointRow } from "./endpoint-queries.ts";
import styles from "./endpoints.module.css";
import text from "../ui/text.module.css";
import { Health, HealthBadge } from "./health.tsx";

export function EndpointsPage() {
  return useShop().may("SETTINGS") ? <Endpoints /> : <NoPermission title="Webhook endpoints" />;
}

function Endpoints() {
  const { id: shopId } = useShop();
  const { webhookEndpoints, webhookEndpointLimit } = useSuspenseQuery(endpointsQuery(shopId)).data;
  const [isCreating, setCreating] = useState(false);
  const { used, maximum } = webhookEndpointLimit;
  const create = (
    <Button look="primary" disabled={used >= maximum} onClick={() => setCreating(true)}>
      <PlusIcon /> Add endpoint
    </Button>
  );
  return (
    <Page
      title="Webhook endpoints"
      description="Addresses that are told of changes in the shop. Each delivery is signed with the endpoint’s secret."
      action={create}
    >
      <Toolbar>
        <Quota {...webhookEndpointLimit} noun="endpoints" />
      </Toolbar>
      {used >= maximum && <Notice tone="warning">{sayFull(maximum)}</Notice>}
      {webhookEndpoints.length === 0 && (
        <Empty title="No endpoints yet">
          An endpoint is told when an order is placed, a product changes, and so on.
        </Empty>
      )}
      <ul className={styles.cards}>
        {webhookEndpoints.map((endpoint) => (
          <li key={endpoint.id}>
            <Card shopId={shopId} endpoint={endpoint} />
          </li>
        ))}
      </ul>
      {isCreating && <CreateEndpointDialog shopId={shopId} onClose={() => setCreating(false)} />}
    </Page>
  );
}

const sayFull = (maximum: number) =>
  maximum === 0
    ? "The shop’s plan includes no webhooks. Whoever runs this service can change the plan."
    : "Every place of the shop’s plan is taken. Delete an endpoint that nobody needs, or ask whoever runs this service for a larger plan.";

function Card({ shopId, endpoint }: { shopId: string; endpoint: EndpointRow }) {
  const { id, url, description } = endpoint;
  return (
    <article className={styles.card}>
      <div className={styles.head}>
        <div>
          <h2>
            <Link to="/$shopId/endpoints/$endpointId" params={{ shopId, endpointId: id }} className={styles.url}>
              {url}
            </Link>
          </h2>
          <p className={text.small}>{description ?? sayTopics(endpoint.topics)}</p>
        </div>
        <span>
          <HealthBadge endpoint={endpoint} />
        </span>
      </div>
      <Health endpoint={endpoint} />
      <Figures shopId={shopId} endpoint={endpoint} />
    </article>
  );
}

const sayTopics = (topics: readonly string[]) =>
  topics.length > 3 ? `${topics.slice(0, 3).join(", ")} and ${topics.length - 3} more` : topics.join(", ");

/** The deliveries that wait, those that failed, and the last day at a glance. */
export function Figures({ shopId, endpoint }: { shopId: string; endpoint: EndpointRow }) {
  const { id, health, failedDeliveryCount } = endpoint;
  const search = { endpoint: id };
  return (
    <div className={styles.figures}>
      <dl className={styles.figures}>
        <div>
          <dt>Waiting</dt>
          <dd>
            <Link to="/$shopId/deliveries" params={{ shopId }} search={{ ...search, status: "PENDING" }}>
              {tellNumber(health.waitingDeliveries)}
            </Link>
          </dd>
        </div>
        <div>
          <dt>Failed, 24 h</dt>
          <dd>
            <Link to="/$shopId/deliveries" params={{ shopId }} search={{ ...search, status: "FAILED", since: "1" }}>
              {tellNumber(failedDeliveryCount)}
            </Link>
          </dd>
        </div>
      </dl>
      <Activity hours={endpoint.hourlyAttempts} />
    </div>
  );
}
