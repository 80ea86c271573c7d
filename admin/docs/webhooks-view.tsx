import typescript from "../../docs/receivers/typescript/receiver-standardwebhooks.ts?raw";
import python from "../../docs/receivers/python/receiver.py?raw";
import { Table } from "../ui/table.tsx";
import { Code } from "./code.tsx";
import styles from "./docs.module.css";
import type { ApiDocument } from "./document.ts";
import { Prose } from "./prose.tsx";

/** Every topic with a sample body, the headers of a delivery, and receivers that verify them. */
export function WebhooksView({ document }: { document: ApiDocument }) {
  const webhooks = Object.entries(document["x-webhooks"]).map(([topic, { post }]) => ({ topic, post }));
  const headers = webhooks[0]?.post.parameters ?? [];
  return (
    <section id="webhooks" className={styles.tag}>
      <h2>Webhooks</h2>
      <p>
        Each event is sent to the webhook endpoints that subscribe to its topic, as a signed POST. Answer with a status
        of 200 to 299 within 10 seconds; anything else is tried again. Deliveries may come more than once and in any
        order.
      </p>
      <Table
        caption="Headers of a delivery"
        rows={headers}
        keyOf={({ name }) => name}
        columns={[
          { title: "Header", cell: ({ name }) => <code>{name}</code> },
          { title: "Meaning", cell: ({ description }) => description && <Prose text={description} /> },
        ]}
      />
      <h3 id="answering">Answer quickly</h3>
      <p>
        Store the event, answer 204, and then do the work. An endpoint gets at most 20 attempts at a time: if it answers
        in 2 seconds, it gets at most 10 deliveries a second. Attempts that take more than 10 seconds fail, and ten
        failures in a row suspend the endpoint. Admin shows an endpoint as slow when it had 20 attempts or more in the
        last 24 hours and their 95th percentile is over three seconds.
      </p>
      <h3 id="verification">Verify what you receive</h3>
      <p>
        Whoever knows an endpoint's address can send to it. Believe only what is signed with its secret, and not for
        long.
      </p>
      <Code text={typescript} label="A receiver in TypeScript" />
      <Code text={python} label="A receiver in Python" />
      {webhooks.map(({ topic, post }) => (
        <section key={topic} id={topic} className={styles.operation}>
          <h3>{topic}</h3>
          <Prose text={post.description} />
          <Code
            text={JSON.stringify(post.requestBody?.content["application/json"]?.example, null, 2)}
            label={`Body of ${topic}`}
          />
        </section>
      ))}
    </section>
  );
}
