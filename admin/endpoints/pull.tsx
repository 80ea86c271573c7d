import type { ReactNode } from "react";
import program from "../../docs/receivers/typescript/consumer.ts?raw";
import { currentTime } from "../clock.ts";
import { Section } from "../ui/page.tsx";
import { Stat, Stats } from "../ui/stat.tsx";
import { Notice } from "../ui/states.tsx";
import { Sentence } from "../ui/sentence.tsx";
import { CopyButton } from "../ui/values/copy-button.tsx";
import { formatNumber } from "../ui/values/money.ts";
import { RawText } from "../ui/values/raw-text.tsx";
import { Time } from "../ui/values/time.tsx";
import type { EndpointRow } from "./endpoint-queries.ts";
import text from "../ui/text.module.css";
import { copy } from "./copy.ts";

const HOUR = 3_600_000;
/** The server counts deliveries that wait, and leased ones, up to this number. */
const MAX_COUNTED = 10_000;

export const formatCount = (counted: number) =>
  counted < MAX_COUNTED ? formatNumber(counted) : copy.pull.moreThan(formatNumber(MAX_COUNTED));

/** True for a pull endpoint that nobody fetches. A paused one waits for staff. */
export const isBehind = ({ paused, pull }: EndpointRow) => pull?.isBehind === true && !paused;

/** Says how many events a pull endpoint has, such as "12,400 events wait, the oldest for 26 h." */
export function describeBacklog({ pull }: EndpointRow): string {
  if (!pull?.oldestAt) return copy.pull.none;
  const count = pull.waiting + pull.leased;
  const hours = Math.floor((currentTime() - Date.parse(pull.oldestAt)) / HOUR);
  return copy.pull.backlog(count, formatCount(count), formatNumber(hours));
}

/** The state of a pull endpoint in words, as a warning if nobody fetches. */
export function Backlog({ endpoint }: { endpoint: EndpointRow }) {
  return (
    <>
      {endpoint.paused && <Notice tone="warning">{copy.pull.paused}</Notice>}
      {isBehind(endpoint) && <Notice tone="warning">{describeBacklog(endpoint)}</Notice>}
    </>
  );
}

interface PullFiguresProps {
  pull: NonNullable<EndpointRow["pull"]>;
  waiting: ReactNode;
  failed: ReactNode;
}

export function PullFigures({ pull, waiting, failed }: PullFiguresProps) {
  const { leased, oldestAt, lastFetchedAt, lastFetchedByName } = pull;
  return (
    <Stats>
      <Stat label={copy.pull.waiting}>{waiting}</Stat>
      <Stat label={copy.pull.leased} detail={copy.pull.leasedHint}>
        {formatCount(leased)}
      </Stat>
      <Stat label={copy.pull.oldest}>{oldestAt ? <Time value={oldestAt} /> : "–"}</Stat>
      <Stat label={copy.pull.lastFetched} detail={lastFetchedByName && copy.pull.by(lastFetchedByName)}>
        {lastFetchedAt ? <Time value={lastFetchedAt} /> : copy.pull.never}
      </Stat>
      {failed}
    </Stats>
  );
}

/** The documented program that fetches and handles events, and its command for this endpoint. */
export function PullSample({ shopId, endpointId }: { shopId: string; endpointId: string }) {
  const variables = `BASE_URL=${location.origin} SHOP_ID=${shopId} ENDPOINT_ID=${endpointId}`;
  return (
    <Section title={copy.pull.sample} action={<CopyButton text={program} label={copy.pull.copySample} showsLabel />}>
      <p className={text.small}>
        <Sentence
          text={copy.pull.sampleHint}
          parts={{
            permission: <b>{copy.pull.permission}</b>,
            file: <code>consumer.ts</code>,
            command: <code>{`${variables} TOKEN=svt_… node consumer.ts`}</code>,
          }}
        />
      </p>
      <RawText label={copy.pull.sample}>{program}</RawText>
    </Section>
  );
}
