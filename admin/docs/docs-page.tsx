import { use, useEffect, useState } from "react";
import styles from "./docs.module.css";
import { routesOf, type ApiDocument } from "./document.ts";
import { OperationView, type Shared } from "./operation-view.tsx";
import { Prose } from "./prose.tsx";
import type { Language } from "./samples.ts";
import { WebhooksView } from "./webhooks-view.tsx";
import { Sentence } from "../ui/sentence.tsx";
import { copy } from "./copy.ts";

/** The shop's ID in the address, if there is one. */
const shopOfAddress = () => new URLSearchParams(location.search).get("shop") ?? "";

/** Scrolls to the address's fragment. Browsers look for it before the page is rendered. */
const scrollToPart = () => document.getElementById(location.hash.slice(1))?.scrollIntoView();

/** The reference of the REST API, rendered from its OpenAPI document. */
export function DocsPage({ promise }: { promise: Promise<ApiDocument> }) {
  const document = use(promise);
  useEffect(scrollToPart, []);
  const [apiKey, onKey] = useState("");
  const [language, onLanguage] = useState<Language>("curl");
  const shared: Shared = { document, shopId: shopOfAddress(), apiKey, onKey, language, onLanguage };
  const tags = document.tags.filter(({ name }) => name !== "Webhooks");
  return (
    <div className={styles.layout}>
      <Contents document={document} />
      <main className={styles.main}>
        <h1>{document.info.title}</h1>
        <p className={styles.soft}>
          {copy.version(document.info.version)} · <a href="/api/v1/openapi.json">{copy.document}</a> ·{" "}
          <a href="/admin/">{copy.admin}</a>
        </p>
        <Prose text={document.info.description} />
        <p>
          <Sentence text={copy.authentication} parts={{ header: <code>Authorization: Bearer sk_live_…</code> }} />
        </p>
        {tags.map(({ name, description }) => (
          <section key={name} id={name} className={styles.tag}>
            <h2>{name}</h2>
            <p>{description}</p>
            {routesOf(document, name).map((route) => (
              <OperationView key={route.operation.operationId} route={route} shared={shared} />
            ))}
          </section>
        ))}
        <WebhooksView document={document} />
      </main>
    </div>
  );
}

function Contents({ document }: { document: ApiDocument }) {
  return (
    <nav className={styles.contents} aria-label={copy.contents}>
      {document.tags
        .filter(({ name }) => name !== "Webhooks")
        .map(({ name }) => (
          <div key={name}>
            <a href={`#${name}`}>{name}</a>
            <ul>
              {routesOf(document, name).map(({ operation }) => (
                <li key={operation.operationId}>
                  <a href={`#${operation.operationId}`}>{operation.summary}</a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      <div>
        <a href="#webhooks">{copy.webhooks.title}</a>
        <ul>
          <li>
            <a href="#answering">{copy.webhooks.answeringTitle}</a>
          </li>
          <li>
            <a href="#verification">{copy.webhooks.verificationTitle}</a>
          </li>
          {Object.keys(document["x-webhooks"]).map((topic) => (
            <li key={topic}>
              <a href={`#${topic}`}>{topic}</a>
            </li>
          ))}
        </ul>
      </div>
      {shopOfAddress() && <a href="/graphql">{copy.explorer}</a>}
    </nav>
  );
}
