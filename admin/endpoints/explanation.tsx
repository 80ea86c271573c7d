import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Fetched } from "../deliveries/delivery-drawer.tsx";
import { Waiting } from "../deliveries/labels.tsx";
import { isId, RecordLink } from "../records/record-link.tsx";
import { IdField } from "../ui/forms/search-field.tsx";
import { Section } from "../ui/page.tsx";
import { Sentence } from "../ui/sentence.tsx";
import { Notice } from "../ui/states.tsx";
import { Table, type Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import text from "../ui/text.module.css";
import { explanationQuery, type Endpoint, type ExplainedEvent } from "./endpoint-queries.ts";
import { copy as texts } from "./copy.ts";

const copy = texts.explanation;

/** Says why the endpoint gets the events of a record, or not. */
export function ExplanationSection({ shopId, endpoint }: { shopId: string; endpoint: Endpoint }) {
  const [recordId, setRecordId] = useState("");
  const isRecord = isId(recordId) && /^(?:ord|prod|cus)_/.test(recordId);
  const query = explanationQuery(shopId, endpoint.id, recordId);
  const { data: events, error } = useQuery({ ...query, enabled: isRecord });
  return (
    <Section title={copy.title}>
      <p className={text.small}>
        <Sentence text={copy.text} parts={{ time: <Time value={endpoint.updatedAt} /> }} />
      </p>
      <IdField label={copy.recordId} isWhole={isId} onFind={setRecordId} />
      {recordId !== "" && !isRecord && <Notice tone="bad">{copy.invalid}</Notice>}
      {error && <Notice tone="bad">{error.message}</Notice>}
      <div role="status">
        {events?.length === 0 && copy.none}
        {events && events.length > 0 && (
          <Table caption={copy.title} rows={events} keyOf={({ id }) => id} columns={columns(endpoint.isPull)} />
        )}
      </div>
    </Section>
  );
}

const columns = (isPull: boolean): Column<ExplainedEvent>[] => [
  {
    title: copy.event,
    cell: ({ topic, delivery }) => (delivery ? <RecordLink id={delivery.id}>{topic}</RecordLink> : topic),
  },
  { title: copy.time, narrow: "end", cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: copy.answer, cell: (event) => <Answer event={event} isPull={isPull} /> },
];

function Answer({ event, isPull }: { event: ExplainedEvent; isPull: boolean }) {
  const { reason, delivery, changed, actorName: actor } = event;
  if (reason) return <Sentence text={copy.reasons[reason]} parts={{ changed: changed?.join(", "), actor }} />;
  if (!delivery) return null;
  if (delivery.status === "FAILED") return copy.failed(delivery.error ?? "");
  if (delivery.status === "PENDING" && !(isPull && delivery.lastAttemptAt)) return <Waiting delivery={delivery} />;
  if (isPull) return <Fetched delivery={delivery} />;
  if (!delivery.lastAttemptAt) return copy.delivered;
  return <Sentence text={copy.deliveredAt} parts={{ time: <Time value={delivery.lastAttemptAt} /> }} />;
}
