import { useQuery } from "@tanstack/react-query";
import { Copyable } from "../ui/values/copy-button.tsx";
import { formatDuration, Time } from "../ui/values/time.tsx";
import { Dialog, DialogBody } from "../ui/dialogs/dialog.tsx";
import { fact, Facts } from "../ui/page.tsx";
import { Empty, Skeleton } from "../ui/states.tsx";
import { RawText } from "../ui/values/raw-text.tsx";
import { IdLink, isId, RecordLink } from "../records/record-link.tsx";
import { labelKey, oneRequestQuery, type OneRequest } from "./request-queries.ts";
import { Badge } from "../ui/values/badge.tsx";
import { copy } from "./copy.ts";

interface DrawerProps {
  shopId: string;
  requestId: string;
  onClose: () => void;
}

/** A drawer with the details of a request, found by its `X-Request-Id`. */
export function RequestDrawer({ shopId, requestId, onClose }: DrawerProps) {
  const { data, error } = useQuery(oneRequestQuery(shopId, requestId));
  return (
    <Dialog open isDrawer title={data ? `${data.method} ${data.path}` : copy.request} onClose={onClose}>
      <DialogBody>
        {error && <Empty title={copy.unavailable}>{error.message}</Empty>}
        {!error && data === undefined && <Skeleton />}
        {data === null && <Empty title={copy.notFound.title}>{copy.notFound.text}</Empty>}
        {data && <Details request={data} />}
      </DialogBody>
    </Dialog>
  );
}

function Details({ request }: { request: OneRequest }) {
  const { requestId, apiKeyId, apiKey, createdAt, durationMs, address, userAgent, errorBody, path, route, status } =
    request;
  return (
    <>
      <Facts
        facts={[
          fact(copy.status, <StatusBadge status={status} />),
          fact(copy.id, <Copyable text={requestId} label={copy.copyId} />),
          fact(copy.time, <Time value={createdAt} />),
          fact(copy.duration, formatDuration(durationMs)),
          fact(copy.route, <code>{route}</code>),
          fact(copy.key, apiKey ? <RecordLink id={apiKeyId}>{labelKey(apiKey)}</RecordLink> : <IdLink id={apiKeyId} />),
          ...(address ? [fact(copy.address, <Copyable text={address} label={copy.copyAddress} />)] : []),
          ...(userAgent ? [fact(copy.userAgent, userAgent)] : []),
          ...path
            .split("/")
            .filter(isId)
            .map((id) => fact(copy.record, <IdLink id={id} />)),
        ]}
      />
      {errorBody !== null && (
        <div>
          <h3>{copy.response}</h3>
          <RawText label={copy.responseBody}>{errorBody}</RawText>
        </div>
      )}
    </>
  );
}

export function StatusBadge({ status }: { status: number }) {
  return <Badge tone={status < 400 ? "good" : status < 500 ? "warning" : "bad"}>{status}</Badge>;
}
