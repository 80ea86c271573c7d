import typescript from "../../docs/receivers/typescript/receiver-standardwebhooks.ts?raw";
import python from "../../docs/receivers/python/receiver.py?raw";
import { Table } from "../ui/table.tsx";
import { Code } from "./code.tsx";
import styles from "./docs.module.css";
import type { ApiDocument } from "./document.ts";
import { Prose } from "./prose.tsx";
import { copy } from "./copy.ts";

/** The headers of a delivery, sample receivers, and each topic with a sample body. */
export function WebhooksView({ document }: { document: ApiDocument }) {
  const webhooks = Object.entries(document["x-webhooks"]).map(([topic, { post }]) => ({ topic, post }));
  const headers = webhooks[0]?.post.parameters ?? [];
  return (
    <section id="webhooks" className={styles.tag}>
      <h2>{copy.webhooks.title}</h2>
      <p>{copy.webhooks.text}</p>
      <Table
        caption={copy.webhooks.headersCaption}
        rows={headers}
        keyOf={({ name }) => name}
        columns={[
          { title: copy.webhooks.header, cell: ({ name }) => <code>{name}</code> },
          { title: copy.webhooks.description, cell: ({ description }) => description && <Prose text={description} /> },
        ]}
      />
      <h3 id="answering">{copy.webhooks.answeringTitle}</h3>
      <p>{copy.webhooks.answering}</p>
      <h3 id="verification">{copy.webhooks.verificationTitle}</h3>
      <p>{copy.webhooks.verification}</p>
      <Code text={typescript} label={copy.webhooks.typescript} />
      <Code text={python} label={copy.webhooks.python} />
      {webhooks.map(({ topic, post }) => (
        <section key={topic} id={topic} className={styles.operation}>
          <h3>{topic}</h3>
          <Prose text={post.description} />
          <Code
            text={JSON.stringify(post.requestBody?.content["application/json"]?.example, null, 2)}
            label={copy.webhooks.bodyOf(topic)}
          />
        </section>
      ))}
    </section>
  );
}
