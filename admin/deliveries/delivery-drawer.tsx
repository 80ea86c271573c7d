import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { request } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { Badge } from "../ui/values/badge.tsx";
import { Copyable } from "../ui/values/copy.tsx";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { fact, Facts } from "../ui/page.tsx";
import { Empty, Notice, Skeleton } from "../ui/states.tsx";
import { Time } from "../ui/values/time.tsx";
import { Attempt, Text } from "./attempt.tsx";
import styles from "./deliveries.module.css";
import text from "../ui/text.module.css";
import { deliveryQuery, Replay, type Delivery } from "./delivery-queries.ts";
import { DeliveryBadge, Waiting } from "./words.tsx";

interface DrawerProps {
  shopId: string;
  id: string;
  onClose: () => void;
}

/** All there is to know of one delivery, at the side of the list. */
export function DeliveryDrawer({ shopId, id, onClose }: DrawerProps) {
  const { data, error } = useQuery(deliveryQuery(shopId, id));
  return (
    <Dialog open isDrawer title={data?.topic ?? "Delivery"} onClose={onClose}>
      <div className={styles.body}>
        {error && !data && <Empty title="It cannot be shown">{error.message}</Empty>}
        {!error && !data && <Skeleton />}
        {data && <Details shopId={shopId} delivery={data} />}
      </div>
    </Dialog>
  );
}

function Details({ shopId, delivery }: { shopId: string; delivery: Delivery }) {
  const { eventId, createdAt, attempts, body } = delivery;
  return (
    <>
      <Head shopId={shopId} delivery={delivery} />
      <Facts
        facts={[
          fact("Event", <Copyable text={eventId} label="Copy the event’s id" />),
          fact("Endpoint", <Target shopId={shopId} delivery={delivery} />),
          fact("Happened", <Time value={createdAt} />),
        ]}
      />
      <h3>Attempts</h3>
      <div className={styles.attempts}>
        {attempts.length === 0 && <p className={text.small}>None yet, or none in the last 30 days.</p>}
        {attempts.toReversed().map((attempt, index) => (
          <Attempt key={attempt.id} attempt={attempt} isOpen={index === 0} />
        ))}
      </div>
      <h3>Body</h3>
      <Text label="Body of the request">{format(body)}</Text>
    </>
  );
}

function Target({ shopId, delivery: { endpoint, deletedEndpoint } }: { shopId: string; delivery: Delivery }) {
  if (!endpoint) {
    return (
      <>
        <span className={styles.url}>{deletedEndpoint?.url}</span> <Badge>Deleted</Badge>{" "}
        {deletedEndpoint && <Time value={deletedEndpoint.deletedAt} />}
      </>
    );
  }
  return (
    <Link to="/$shopId/endpoints/$endpointId" params={{ shopId, endpointId: endpoint.id }}>
      {endpoint.url}
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
      <div className={styles.line}>
        <DeliveryBadge delivery={delivery} />
        {isTest && <Badge>Test</Badge>}
        {!isTest && (
          <span className={styles.total}>
            <Button
              busy={replay.isPending || status === "PENDING"}
              disabled={!endpoint || isDisabled}
              onClick={() => replay.mutate()}
            >
              Replay
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
      {!endpoint && <p className={text.small}>The endpoint was deleted: nothing can be sent to it again.</p>}
      {endpoint && isTest && (
        <p className={text.small}>A test event is not replayed. Send another from its endpoint’s page.</p>
      )}
      {!isTest && isDisabled && (
        <p className={text.small}>
          The endpoint is disabled: a test event that succeeds has to enable it before a replay.
        </p>
      )}
      {replay.error && <Notice tone="bad">{replay.error.message}</Notice>}
    </>
  );
}

/** JSON on lines of its own; as it is, when it is none. */
function format(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
