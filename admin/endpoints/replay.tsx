import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { request } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { hoursAway } from "../ui/values/moments.ts";
import { tellNumber } from "../ui/values/money.ts";
import { Section } from "../ui/page.tsx";
import { Select } from "../ui/forms/select.tsx";
import { Notice } from "../ui/states.tsx";
import { Time } from "../ui/values/time.tsx";
import { ReplayFailed } from "./endpoint-mutations.ts";
import { failedCountQuery, type Endpoint } from "./endpoint-queries.ts";
import styles from "./endpoints.module.css";
import text from "../ui/text.module.css";

const periods = [
  ["1", "Last hour"],
  ["24", "Last 24 hours"],
  ["168", "Last 7 days"],
  ["720", "Last 30 days"],
] as const;

/** Delivers once more what failed, after saying how much that is, and shows how far it is. */
export function ReplaySection({ shopId, endpoint }: { shopId: string; endpoint: Endpoint }) {
  const client = useQueryClient();
  const [hours, setHours] = useState<(typeof periods)[number][0]>("24");
  const since = useMemo(() => hoursAway(-Number(hours)), [hours]);
  const count = useQuery({ ...failedCountQuery(shopId, endpoint.id, since), placeholderData: keepPreviousData });
  const replay = useMutation({
    mutationFn: () => request(ReplayFailed, { shopId, endpointId: endpoint.id, since }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["records", shopId, "endpoints", endpoint.id] }),
  });
  const isDisabled = endpoint.health.status === "DISABLED";
  const done = replay.data?.replayFailedDeliveries;
  return (
    <Section title="Replay what failed">
      <div className={styles.row}>
        <Select
          label="Since"
          value={hours}
          options={periods}
          onChange={(chosen) => {
            replay.reset();
            setHours(chosen ?? "24");
          }}
        />
        <Button
          busy={replay.isPending || count.isPlaceholderData}
          disabled={isDisabled || !count.data}
          onClick={() => replay.mutate()}
        >
          {count.data === undefined ? "Counting…" : `Replay ${tellNumber(count.data)} failed`}
        </Button>
        {isDisabled && <span className={text.small}>A test event that succeeds has to enable the endpoint first.</span>}
        {count.data === 0 && !done && <span className={text.small}>Nothing failed in that time.</span>}
      </div>
      {(replay.error ?? count.error) && <Notice tone="bad">{(replay.error ?? count.error)!.message}</Notice>}
      {done && (
        <p role="status">
          {tellNumber(done.replayed)} queued{done.remaining > 0 && `, ${tellNumber(done.remaining)} left: replay again`}
          .
        </p>
      )}
      <Progress endpoint={endpoint} />
    </Section>
  );
}

function Progress({ endpoint: { replay } }: { endpoint: Endpoint }) {
  if (!replay) return null;
  const { total, waiting, lastAt, startedAt } = replay;
  const sent = Math.max(0, total - waiting);
  return (
    <div>
      <progress className={styles.progress} max={Math.max(total, 1)} value={sent} aria-label="Progress of the replay" />
      <p className={text.small}>
        {tellNumber(sent)} of {tellNumber(total)} attempted since <Time value={startedAt} />. The last is due{" "}
        <Time value={lastAt} />.
      </p>
    </div>
  );
}
