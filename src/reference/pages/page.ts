import type { ApiDocument } from "../document.ts";
import { html, type Html } from "../markdown-to-html.ts";
import type { Reference, Resource } from "../reference.ts";
import { chapterSection, eventsSection } from "./chapter.ts";
import { chapterHeading } from "./elements.ts";
import { methodBadge, operationSection } from "./operation.ts";
import type { Section } from "../chapters.ts";

/** The body of the page at `/docs`. */
export function renderPage(reference: Reference): Html {
  const { document, chapters, webhooks, copy, receivers, resources, changelog } = reference;
  return renderFrame(document, {
    title: `${document.info.title} reference`,
    start: "introduction",
    links: contents(reference),
    sections: html`${chapters.map((chapter) => chapterSection(chapter))} ${chapterSection(webhooks, receivers)}
    ${chapterSection(copy)} ${resources.map((resource) => resourceSection(reference, resource))}
    ${eventsSection(reference)} ${chapterSection(changelog)}`,
  });
}

/** A page with its contents, which have a search and on phones are a popover. */
export function renderFrame(
  { info, servers }: ApiDocument,
  { title, start, links, sections }: { title: string; start: string; links: Html; sections: Html },
): Html {
  return html`${icons} <a class="skip" href="#${start}">Skip to content</a>
    <header class="bar">
      <a href="#${start}">${info.title}</a>
      <button type="button" popovertarget="contents">Contents</button>
    </header>
    <nav id="contents" popover aria-label="Contents">
      <a class="brand" href="#${start}">${info.title} <span class="soft">${info.version}</span></a>
      <search>
        <input type="search" id="find" placeholder="Search" aria-label="Search operations, fields and errors" />
        <kbd aria-hidden="true">/</kbd>
        <p role="status" class="soft" id="found"></p>
        <ul id="results" hidden></ul>
      </search>
      <div id="links">${links}</div>
    </nav>
    <main data-origin="${servers[0]!.url}">
      <h1>${title}</h1>
      ${sections}
    </main>`;
}

function resourceSection(reference: Reference, { name, description, routes }: Resource): Html {
  return html`<section class="chapter" id="${name}">
    <div class="row">
      <div class="text">
        ${chapterHeading(name, name)}
        <p>${description}</p>
      </div>
      <div class="aside">
        <div class="card endpoints">
          ${routes.map(
            ({ method, path, operation }) =>
              html`<a href="#${operation.operationId}">${methodBadge(method)} <code>${path}</code></a>`,
          )}
        </div>
      </div>
    </div>
    ${routes.map((route) => operationSection(reference, route))}
  </section>`;
}

const icons = html`<svg width="0" height="0" class="icons" aria-hidden="true">
  <symbol id="icon-copy" viewBox="0 0 16 16">
    <path d="M5.5 5.5h8v8h-8z M10.5 5.5v-3h-8v8h3" fill="none" stroke="currentColor" stroke-width="1.4" />
  </symbol>
</svg>`;

function contents({ chapters, webhooks, copy, resources, topics }: Reference): Html {
  const link = (id: string, label: Html | string) => html`<li><a href="#${id}">${label}</a></li>`;
  const sectionLink = ({ id, title }: Section) => link(id, title);
  return html`${group(
    "Get started",
    chapters.map(({ section }) => sectionLink(section)),
  )}
  ${group("Webhooks", [link("webhooks", "Overview"), ...webhooks.subsections.map(sectionLink), sectionLink(copy.section)])}
  ${resources.map(({ name, routes }) =>
    group(
      name,
      routes.map(({ method, operation }) =>
        link(operation.operationId, html`${operation.summary} ${methodBadge(method)}`),
      ),
      name,
    ),
  )}
  ${group(
    "Events",
    topics.map(({ name }) => link(name, name)),
    "events",
  )}
  ${group("More", [
    link("changelog", "Changelog"),
    html`<li><a href="/docs/graphql">GraphQL schema</a></li>`,
    html`<li><a href="/api/v1/openapi.json">OpenAPI document</a></li>`,
    html`<li><a href="/llms.txt">llms.txt</a></li>`,
    html`<li><a href="/admin/">Admin</a></li>`,
    html`<li hidden data-for-staff><a href="/graphql">GraphQL explorer</a></li>`,
  ])}`;
}

export function group(title: string, links: Html[], id?: string): Html {
  return html`<p>${id ? html`<a href="#${id}">${title}</a>` : title}</p>
    <ul>
      ${links}
    </ul>`;
}
