import { useSuspenseQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { endpointsQuery } from "../endpoints/endpoint-queries.ts";
import { HealthBadge } from "../endpoints/health.tsx";
import { describeBacklog, isBehind } from "../endpoints/pull.tsx";
import { useShop } from "../queries.ts";
import { Panel } from "../ui/panel.tsx";
import { Sentence } from "../ui/sentence.tsx";
import text from "../ui/text.module.css";
import { Badge } from "../ui/values/badge.tsx";
import { Quota } from "../ui/values/quota.tsx";
import { hoursAway, isAhead, Time } from "../ui/values/time.tsx";
import { credentialsQuery } from "./home-queries.ts";
import styles from "./home.module.css";
import { copy } from "./copy.ts";

const DAY = 24;
const WEEK = 7 * DAY;

/** Endpoints that fail or are not fetched, keys that expire within a week or were never used, and what is left of the plan. */
export function AttentionPanel() {
  const { id: shopId, plan, trialEndsAt } = useShop();
  const [endpoints, credentials] = useSuspenseQueries({ queries: [endpointsQuery(shopId), credentialsQuery(shopId)] });
  const { apiKeyLimit, apiKeys } = credentials.data;
  const { webhookEndpoints, webhookEndpointLimit } = endpoints.data;
  const failing = webhookEndpoints.filter(({ health }) => health.status !== "HEALTHY" || health.isSlow);
  const behind = webhookEndpoints.filter(isBehind);
  const expiring = apiKeys.items.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= hoursAway(WEEK));
  const unused = apiKeys.items.filter(
    (key) => !key.lastUsedAt && isOlderThanDay(key.createdAt) && !expiring.includes(key),
  );
  const isCalm = failing.length + behind.length + expiring.length + unused.length === 0;
  // Without a plan, keys and webhooks need attention, which a notice says on each page.
  if (isCalm && apiKeyLimit.maximum === 0) return null;
  return (
    <Panel title={copy.attention.title}>
      <ul className={styles.list}>
        {[...failing, ...behind].map((endpoint) => (
          <li key={endpoint.id}>
            <Link to="/$shopId/endpoints/$endpointId" params={{ shopId, endpointId: endpoint.id }}>
              {endpoint.name}
            </Link>
            <span>{endpoint.isPull ? describeBacklog(endpoint) : <HealthBadge endpoint={endpoint} />}</span>
          </li>
        ))}
        {[...expiring, ...unused].map(({ id, name, expiresAt, lastUsedAt }) => (
          <li key={id}>
            <Link to="/$shopId/keys" params={{ shopId }} search={{ status: "ACTIVE" }}>
              {name}
            </Link>
            <span>
              {expiresAt && (
                <Badge tone="warning">
                  <Sentence text={copy.attention.expires} parts={{ time: <Time value={expiresAt} /> }} />
                </Badge>
              )}{" "}
              {!lastUsedAt && <Badge>{copy.attention.unused}</Badge>}
            </span>
          </li>
        ))}
      </ul>
      {isCalm && <p className={text.soft}>{copy.attention.none}</p>}
      {apiKeyLimit.maximum > 0 && (
        <div className={styles.plan}>
          <Quota {...apiKeyLimit} noun={copy.plan.keys} />
          <Quota {...webhookEndpointLimit} noun={copy.plan.endpoints} />
          {plan === "TRIAL" && isAhead(trialEndsAt) && (
            <span>
              <Sentence text={copy.plan.trialEnds} parts={{ time: <Time value={trialEndsAt} /> }} />
            </span>
          )}
        </div>
      )}
    </Panel>
  );
}

const isOlderThanDay = (time: string) => Date.parse(time) < Date.parse(hoursAway(-DAY));
