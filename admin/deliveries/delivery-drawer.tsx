import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { request } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { Badge } from "../ui/values/badge.tsx";
import { Copyable } from "../ui/values/copy-button.tsx";
import { Dialog, DialogBody } from "../ui/dialogs/dialog.tsx";
import { fact, Facts } from "../ui/page.tsx";
import { Empty, Notice, Skeleton } from "../ui/states.tsx";
import { RawText } from "../ui/values/raw-text.tsx";
import { Sentence } from "../ui/sentence.tsx";
import { Tags } from "../ui/values/tags.tsx";
import { Time } from "../ui/values/time.tsx";
import { Attempt } from "./attempt.tsx";
import layout from "../ui/layout.module.css";
import styles from "./deliveries.module.css";
import text from "../ui/text.module.css";
import { deliveryQuery, Replay, type Delivery } from "./delivery-queries.ts";
import { DeliveryBadge, Waiting } from "./labels.tsx";
import { copy } from "./copy.ts";

interface DrawerProps {
  shopId: string;
  id: string;
  onClose: () => void;
}

/** A drawer with the details of a delivery. */
export function DeliveryDrawer({ shopId, id, onClose }: DrawerProps) {
  const { data, error } = useQuery(deliveryQuery(shopId, id));
  return (
    <Dialog open isDrawer title={data?.topic ?? copy.delivery} onClose={onClose}>
      <DialogBody>
        {error && !data && <Empty title={copy.unavailable}>{error.message}</Empty>}
        {!error && !data && <Skeleton />}
        {data && <Details shopId={shopId} delivery={data} />}
      </DialogBody>
    </Dialog>
  );
}

function Details({ shopId, delivery }: { shopId: string; delivery: Delivery }) {
  const { id, eventId, createdAt, attempts, body, isTest, changed, actorId, actorName, endpoint } = delivery;
  return (
    <>
      <Head shopId={shopId} delivery={delivery} />
      <Facts
        facts={[
          fact(copy.eventId, <Copyable text={eventId} label={copy.copyEventId} />),
          fact(copy.id, <Copyable text={id} label={copy.copyId} />),
          fact(copy.endpoint, <Target shopId={shopId} delivery={delivery} />),
          fact(copy.created, <Time value={createdAt} />),
          ...(isTest ? [] : [fact(copy.changedBy, actorName ?? actorId ?? copy.noActor)]),
          ...(changed ? [fact(copy.changed, <Tags tags={changed.map((name) => [name] as const)} />)] : []),
        ]}
      />
      <h3>{copy.attempts}</h3>
      <div className={layout.stack}>
        {attempts.length === 0 && (
          <p className={text.small}>
            {endpoint?.isPull || delivery.fetchedByName ? <Fetched delivery={delivery} /> : copy.noAttempts}
          </p>
        )}
        {attempts.toReversed().map((attempt, index) => (
          <Attempt key={attempt.id} attempt={attempt} isOpen={index === 0} />
        ))}
      </div>
      <h3>{copy.requestBody}</h3>
      <RawText label={copy.requestBody}>{format(body)}</RawText>
    </>
  );
}

/** When an event of a pull endpoint was fetched and acknowledged, and by whom. */
export function Fetched({ delivery }: { delivery: Pick<Delivery, FetchedField> }) {
  const { status, lastAttemptAt, fetchedByName, acknowledgedAt } = delivery;
  if (!lastAttemptAt) return status === "SUCCEEDED" ? copy.fetched.unknown : copy.fetched.never;
  const name = fetchedByName ?? copy.fetched.someone;
  return (
    <>
      <Sentence text={copy.fetched.by} parts={{ time: <Time value={lastAttemptAt} />, name }} />{" "}
      {acknowledgedAt && (
        <Sentence text={copy.fetched.acknowledged} parts={{ time: <Time value={acknowledgedAt} /> }} />
      )}
    </>
  );
}

type FetchedField = "status" | "lastAttemptAt" | "fetchedByName" | "acknowledgedAt";

function Target({ shopId, delivery: { endpoint, deletedEndpoint } }: { shopId: string; delivery: Delivery }) {
  if (!endpoint) {
    return (
      <>
        {deletedEndpoint?.name} <Badge>{copy.deleted}</Badge>{" "}
        {deletedEndpoint && <Time value={deletedEndpoint.deletedAt} />}
      </>
    );
  }
  return (
    <Link to="/$shopId/endpoints/$endpointId" params={{ shopId, endpointId: endpoint.id }}>
      {endpoint.name}
    </Link>
  );
}

function Head({ shopId, delivery }: { shopId: string; delivery: Delivery }) {
  const client = useQueryClient();
  const replay = useMutation({
    mutationFn: () => request(Replay, { shopId, id: delivery.id }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["deliveries", shopId] }),
  });
  const { status, isTest, endpoint, error } = delivery;
  const isDisabled = endpoint?.health.status === "DISABLED";
  return (
    <>
      <div className={layout.row}>
        <DeliveryBadge delivery={delivery} />
        {isTest && <Badge>{copy.test}</Badge>}
        {!isTest && (
          <span className={styles.total}>
            <Button
              busy={replay.isPending || status === "PENDING"}
              disabled={!endpoint || isDisabled}
              onClick={() => replay.mutate()}
            >
              {copy.replay}
            </Button>
          </span>
        )}
      </div>
      {status === "PENDING" && (
        <p>
          <Waiting delivery={delivery} />
        </p>
      )}
      {status === "FAILED" && delivery.attempts.length === 0 && error && <p className={styles.error}>{error}</p>}
      {!endpoint && <p className={text.small}>{copy.endpointDeleted}</p>}
      {endpoint && isTest && <p className={text.small}>{copy.testNotReplayed}</p>}
      {!isTest && isDisabled && <p className={text.small}>{copy.endpointDisabled}</p>}
      {replay.error && <Notice tone="bad">{replay.error.message}</Notice>}
    </>
  );
}

/** Indents JSON. Other text stays as it is. */
function format(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
