import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useShop } from "../queries.ts";
import { graphql, request } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toasts.tsx";
import { formatNumber } from "../ui/values/money.ts";
import { Badge } from "../ui/values/badge.tsx";
import { Notice } from "../ui/states.tsx";
import { hoursAway, Time } from "../ui/values/time.tsx";
import type { EndpointRow } from "./endpoint-queries.ts";
import { sumUp } from "./figures.tsx";
import { Backlog, isBehind } from "./pull.tsx";
import { Sentence } from "../ui/sentence.tsx";
import { copy } from "./copy.ts";

const tones = { HEALTHY: "good", FAILING: "warning", SUSPENDED: "bad", DISABLED: "bad" } as const;

/** True for an endpoint that nothing was sent to. */
const isNew = ({ createdAt, health, hourlyAttempts }: EndpointRow) =>
  health.status === "HEALTHY" && createdAt > hoursAway(-24) && hourlyAttempts.every(({ attempts }) => attempts === 0);

export function HealthBadge({ endpoint }: { endpoint: EndpointRow }) {
  const { paused, health, pull } = endpoint;
  const pausedBadge = paused && <Badge tone="warning">{copy.health.paused}</Badge>;
  if (pull) {
    return (
      <>
        {pausedBadge}{" "}
        {isBehind(endpoint) ? <Badge tone="warning">{copy.pull.behind}</Badge> : <Badge>{copy.pull.badge}</Badge>}
      </>
    );
  }
  return (
    <>
      {pausedBadge} {health.isSlow && <Badge tone="warning">{copy.health.slow}</Badge>}{" "}
      {isNew(endpoint) ? (
        <Badge>{copy.health.new}</Badge>
      ) : (
        <Badge tone={tones[health.status]}>{copy.health.statuses[health.status]}</Badge>
      )}
    </>
  );
}

/** Describes an endpoint's health and what happens next. */
export function Health({ endpoint }: { endpoint: EndpointRow }) {
  const { status, isSlow } = endpoint.health;
  if (endpoint.pull) return <Backlog endpoint={endpoint} />;
  return (
    <>
      {endpoint.paused && <Notice tone="warning">{copy.health.pausedText}</Notice>}
      {status === "HEALTHY" ? (
        <p>{isNew(endpoint) ? <OfferTest endpoint={endpoint} /> : describeHealthy(endpoint)}</p>
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

const TakeOver = graphql(`
  mutation TakeOverEndpoint($shopId: ID!, $id: ID!) {
    takeOverWebhookEndpoint(shopId: $shopId, id: $id) {
      id
    }
  }
`);

/** Says which service token manages an endpoint. Once the token has ended, staff can take the endpoint over. */
export function Manager({ endpoint: { id, createdByName, serviceTokenStatus } }: { endpoint: EndpointRow }) {
  const { id: shopId } = useShop();
  const client = useQueryClient();
  const takeOver = useMutation({
    mutationFn: () => request(TakeOver, { shopId, id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["records", shopId, "endpoints"] });
      toast(copy.token.takenOver);
    },
  });
  if (!serviceTokenStatus) return null;
  const says = copy.token.statuses[serviceTokenStatus](createdByName ?? "");
  if (serviceTokenStatus === "ACTIVE") return <p>{says}</p>;
  return (
    <>
      <Notice tone="warning">
        <p>{says}</p>
        <Button busy={takeOver.isPending} onClick={() => takeOver.mutate()}>
          {copy.token.takeOver}
        </Button>
      </Notice>
      {takeOver.error && <Notice tone="bad">{takeOver.error.message}</Notice>}
    </>
  );
}

function OfferTest({ endpoint: { id: endpointId } }: { endpoint: EndpointRow }) {
  const { id: shopId } = useShop();
  return (
    <>
      {copy.health.nothingSentYet}{" "}
      <Link to="/$shopId/endpoints/$endpointId" params={{ shopId, endpointId }} hash="test-event">
        {copy.health.sendTest}
      </Link>
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
  const { attempts, failures } = sumUp(hourlyAttempts);
  if (attempts === 0) return copy.health.nothingSent;
  if (failures === 0) return copy.health.allSucceeded;
  return copy.health.someFailed(formatNumber(failures), formatNumber(attempts));
}
