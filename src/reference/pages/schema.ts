import type { ApiDocument } from "../document.ts";
import { SCHEMA_INTRODUCTION, type SchemaEntry, type SchemaPart } from "../graphql-schema.ts";
import { html, inline, prose, type Html } from "../markdown-to-html.ts";
import { chapterHeading, fieldList, partHeading, sectionHeading, typeLink } from "./elements.ts";
import { group, renderFrame } from "./page.ts";

/** The body of the page at `/docs/graphql`. */
export function renderSchema(document: ApiDocument, parts: readonly SchemaPart[]): Html {
  const operations = ({ entries }: SchemaPart) => entries.filter(({ returns }) => returns).map(entryLink);
  return renderFrame(document, {
    title: "GraphQL schema",
    start: "graphql",
    links: html`${group("Reference", [html`<li><a href="/docs">REST and webhooks</a></li>`])}
    ${parts.map((part) => group(part.title, operations(part), part.id))}`,
    sections: html`<section class="chapter" id="graphql">
        <div class="row">
          <div class="text">
            ${chapterHeading("graphql", "Introduction")}
            <p>${inline(SCHEMA_INTRODUCTION)}</p>
          </div>
        </div>
      </section>
      ${parts.map(partSection)}`,
  });
}

const entryLink = ({ id, title }: SchemaEntry) => html`<li><a href="#${id}">${title}</a></li>`;

function partSection({ id, title, entries }: SchemaPart): Html {
  return html`<section class="chapter" id="${id}">
    <div class="row">
      <div class="text">
        ${partHeading(id, title)}
        <ul class="names">
          ${entries.map(entryLink)}
        </ul>
      </div>
    </div>
    ${entries.map(entrySection)}
  </section>`;
}

function entrySection({ id, title, kind, description, returns, fields, fieldsTitle }: SchemaEntry): Html {
  return html`<section class="row" id="${id}">
    <div class="text">
      ${sectionHeading(id, title)}
      <p class="type">${kind}${returns && html`, returns ${typeLink(returns)}`}</p>
      ${description && prose(description)}
      ${
        fields.length > 0 &&
        html`<h4>${fieldsTitle}</h4>
          ${fieldList(fields, id, true)}`
      }
    </div>
  </section>`;
}
