import { useQuery } from "@tanstack/react-query";
import { Text } from "../deliveries/attempt.tsx";
import { Copyable } from "../ui/values/copy.tsx";
import { tellDuration } from "../ui/values/duration.ts";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { fact, Facts } from "../ui/page.tsx";
import { Empty, Skeleton } from "../ui/states.tsx";
import { Time } from "../ui/values/time.tsx";
import { nameKey, oneRequestQuery, type OneRequest } from "./request-queries.ts";
import styles from "./requests.module.css";
import { StatusBadge } from "./status-badge.tsx";

interface DrawerProps {
  shopId: string;
  requestId: string;
  onClose: () => void;
}

/** One request, found by the `X-Request-Id` that its caller got. */
export function RequestDrawer({ shopId, requestId, onClose }: DrawerProps) {
  const { data, error } = useQuery(oneRequestQuery(shopId, requestId));
  return (
    <Dialog open isDrawer title={data ? `${data.method} ${data.path}` : "Request"} onClose={onClose}>
      <div className={styles.body}>
        {error && <Empty title="It cannot be shown">{error.message}</Empty>}
        {!error && data === undefined && <Skeleton />}
        {data === null && (
          <Empty title="No request has this id">
            It may be older than 30 days, of another shop, or so recent that it is not logged yet.
          </Empty>
        )}
        {data && <Details request={data} />}
      </div>
    </Dialog>
  );
}

function Details({ request }: { request: OneRequest }) {
  const { requestId, apiKeyId, apiKey, createdAt, durationMs, errorBody, route, status } = request;
  return (
    <>
      <Facts
        facts={[
          fact("Status", <StatusBadge status={status} />),
          fact("Request", <Copyable text={requestId} label="Copy the request’s id" />),
          fact("Answered", <Time value={createdAt} />),
          fact("Took", tellDuration(durationMs)),
          fact("Route", <code>{route}</code>),
          fact("API key", apiKey ? nameKey(apiKey) : <code>{apiKeyId}</code>),
        ]}
      />
      {errorBody !== null && (
        <div>
          <h3>Answer</h3>
          <Text label="Answer’s body">{errorBody}</Text>
        </div>
      )}
    </>
  );
}
