import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../request.ts";
import { Attempt } from "../deliveries/attempt.tsx";
import { deliveryQuery } from "../deliveries/delivery-queries.ts";
import { Button } from "../ui/button.tsx";
import { Section } from "../ui/page.tsx";
import { Select } from "../ui/forms/select.tsx";
import { Notice } from "../ui/states.tsx";
import { SendTest, topicsQuery, type Endpoint } from "./endpoint-queries.ts";
import layout from "../ui/layout.module.css";
import text from "../ui/text.module.css";
import { Sentence } from "../ui/sentence.tsx";
import { copy } from "./copy.ts";

/** Sends a test event and shows the response. */
export function TestEventSection({ shopId, endpoint }: { shopId: string; endpoint: Endpoint }) {
  const { data: topics = [] } = useQuery(topicsQuery);
  const [topic, setTopic] = useState(endpoint.topics[0]);
  const send = useMutation({ mutationFn: () => request(SendTest, { shopId, id: endpoint.id, topic }) });
  const deliveryId = send.data?.sendTestEvent.id;
  return (
    <Section title={copy.testEvent.title}>
      <p className={text.small}>
        <Sentence
          text={endpoint.isPull ? copy.pull.test : copy.testEvent.text}
          parts={{ header: <code>X-Webhook-Test</code>, mark: <code>isTest</code> }}
        />
      </p>
      <div className={layout.row}>
        <Select<string>
          label={copy.testEvent.topic}
          value={topic}
          options={topics.map(({ name }) => [name, name] as const)}
          onChange={setTopic}
        />
        <Button busy={send.isPending} onClick={() => send.mutate()}>
          {copy.testEvent.send}
        </Button>
      </div>
      {send.error && <Notice tone="bad">{send.error.message}</Notice>}
      {deliveryId && <Outcome key={deliveryId} shopId={shopId} deliveryId={deliveryId} isPull={endpoint.isPull} />}
    </Section>
  );
}

function Outcome({ shopId, deliveryId, isPull }: { shopId: string; deliveryId: string; isPull: boolean }) {
  const { data, error } = useQuery(deliveryQuery(shopId, deliveryId));
  const attempt = data?.attempts.at(-1);
  if (error) return <Notice tone="bad">{error.message}</Notice>;
  const progress = isPull
    ? data?.status === "SUCCEEDED"
      ? copy.pull.testDone
      : copy.pull.testWaits
    : copy.testEvent.sending;
  return (
    <div role="status">
      {attempt ? <Attempt attempt={attempt} isOpen /> : data?.status === "FAILED" ? data.error : progress}
    </div>
  );
}
