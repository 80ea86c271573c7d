import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { request } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { hoursAway, Time } from "../ui/values/time.tsx";
import { formatNumber } from "../ui/values/money.ts";
import { Section } from "../ui/page.tsx";
import { optionsOf, Select } from "../ui/forms/select.tsx";
import { Notice } from "../ui/states.tsx";
import { failedCountQuery, ReplayFailed, type Endpoint } from "./endpoint-queries.ts";
import layout from "../ui/layout.module.css";
import styles from "./endpoints.module.css";
import text from "../ui/text.module.css";
import { Sentence } from "../ui/sentence.tsx";
import { copy } from "./copy.ts";

type Hours = keyof typeof copy.replay.periods;
const periods = optionsOf<Hours>(copy.replay.periods);

/** Replays failed deliveries, shows their number first and the progress afterward. */
export function ReplaySection({ shopId, endpoint }: { shopId: string; endpoint: Endpoint }) {
  const client = useQueryClient();
  const [hours, setHours] = useState<Hours>("24");
  const since = useMemo(() => hoursAway(-Number(hours)), [hours]);
  const count = useQuery({ ...failedCountQuery(shopId, endpoint.id, since), placeholderData: keepPreviousData });
  const replay = useMutation({
    mutationFn: () => request(ReplayFailed, { shopId, endpointId: endpoint.id, since }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["records", shopId, "endpoints", endpoint.id] }),
  });
  const isDisabled = endpoint.health.status === "DISABLED";
  const done = replay.data?.replayFailedDeliveries;
  return (
    <Section title={copy.replay.title}>
      <p className={text.small}>{endpoint.isPull ? copy.pull.replay : copy.replay.text}</p>
      <div className={layout.row}>
        <Select
          label={copy.replay.period}
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
          {count.data === undefined ? copy.replay.counting : copy.replay.submit(count.data, formatNumber(count.data))}
        </Button>
        {isDisabled && <span className={text.small}>{copy.replay.disabled}</span>}
        {count.data === 0 && !done && <span className={text.small}>{copy.replay.none}</span>}
      </div>
      {(replay.error ?? count.error) && <Notice tone="bad">{(replay.error ?? count.error)!.message}</Notice>}
      {done && (
        <p role="status">
          {copy.replay.queued(done.replayed, formatNumber(done.replayed))}{" "}
          {done.remaining > 0 && copy.replay.remaining(formatNumber(done.remaining))}
        </p>
      )}
      <Progress endpoint={endpoint} />
    </Section>
  );
}

function Progress({ endpoint: { replay, isPull } }: { endpoint: Endpoint }) {
  if (!replay) return null;
  const { total, waiting, lastAt, startedAt } = replay;
  const sent = Math.max(0, total - waiting);
  return (
    <div>
      <progress className={styles.progress} max={Math.max(total, 1)} value={sent} aria-label={copy.replay.progress} />
      <p className={text.small}>
        {(isPull ? copy.pull.fetched : copy.replay.attempted)(formatNumber(sent), formatNumber(total))}{" "}
        {!isPull && (
          <Sentence
            text={copy.replay.times}
            parts={{ started: <Time value={startedAt} />, last: <Time value={lastAt} /> }}
          />
        )}
      </p>
    </div>
  );
}
