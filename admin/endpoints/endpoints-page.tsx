import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { hasEndedPlan } from "../shell/notices.tsx";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { Page, Toolbar } from "../ui/page.tsx";
import { Quota } from "../ui/values/quota.tsx";
import { Empty, Notice } from "../ui/states.tsx";
import { Figures } from "./figures.tsx";
import { CreateEndpointDialog } from "./endpoint-dialogs.tsx";
import { endpointsQuery, type EndpointRow } from "./endpoint-queries.ts";
import layout from "../ui/layout.module.css";
import styles from "./endpoints.module.css";
import text from "../ui/text.module.css";
import { Health, HealthBadge, Manager } from "./health.tsx";
import { copy } from "./copy.ts";

export function EndpointsPage() {
  const shop = useShop();
  const { id: shopId } = shop;
  const { webhookEndpoints, webhookEndpointLimit } = useSuspenseQuery(endpointsQuery(shopId)).data;
  const [isCreating, setCreating] = useState(false);
  const { used, maximum } = webhookEndpointLimit;
  const create = (
    <Button variant="primary" disabled={used >= maximum} onClick={() => setCreating(true)}>
      <PlusIcon /> {copy.add}
    </Button>
  );
  return (
    <Page title={copy.title} description={copy.description} action={create}>
      {maximum > 0 && (
        <Toolbar>
          <Quota {...webhookEndpointLimit} noun={copy.quota} />
        </Toolbar>
      )}
      {used >= maximum && !hasEndedPlan(shop) && <Notice tone="warning">{copy.limitReached}</Notice>}
      {webhookEndpoints.length === 0 && (
        <Empty title={copy.empty.title} action={create}>
          {copy.empty.text}
        </Empty>
      )}
      <ul className={`${layout.stack} ${styles.cards}`}>
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

function Card({ shopId, endpoint }: { shopId: string; endpoint: EndpointRow }) {
  const { id, name, isPull, description } = endpoint;
  return (
    <article className={layout.card}>
      <div className={styles.head}>
        <div>
          <h2>
            <Link
              to="/$shopId/endpoints/$endpointId"
              params={{ shopId, endpointId: id }}
              className={`${text.quiet} ${styles.url}`}
            >
              {name}
            </Link>
          </h2>
          <p className={text.small}>{(!isPull && description) || labelTopics(endpoint.topics)}</p>
        </div>
        <span>
          <HealthBadge endpoint={endpoint} />
        </span>
      </div>
      <Manager endpoint={endpoint} />
      <Health endpoint={endpoint} />
      <Figures shopId={shopId} endpoint={endpoint} />
    </article>
  );
}

const labelTopics = (topics: readonly string[]) =>
  topics.length > 3 ? copy.moreTopics(topics.slice(0, 3).join(", "), topics.length - 3) : topics.join(", ");
