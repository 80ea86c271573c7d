import type { Section } from "../chapters.ts";
import { html, type Html } from "../html.ts";
import type { Reference } from "../reference.ts";
import { methodBadge } from "./operation.ts";

/** The navigation with the search. On phones it is a popover. */
export function contents({ document, chapters, webhooks, resources, topics }: Reference): Html {
  const link = (id: string, label: Html | string) => html`<li><a href="#${id}">${label}</a></li>`;
  const sectionLink = ({ id, title }: Section) => link(id, title);
  return html`<header class="bar">
      <a href="#introduction">${document.info.title}</a>
      <button type="button" popovertarget="contents">Contents</button>
    </header>
    <nav id="contents" popover aria-label="Contents">
      <a class="brand" href="#introduction"
        >${document.info.title} <span class="soft">${document.info.version}</span></a
      >
      <search>
        <input type="search" id="find" placeholder="Search" aria-label="Search operations, fields and errors" />
        <kbd aria-hidden="true">/</kbd>
        <p role="status" class="soft" id="found"></p>
        <ul id="results" hidden></ul>
      </search>
      <div id="links">
        ${group(
          "Get started",
          chapters.map(({ section }) => sectionLink(section)),
        )}
        ${group("Webhooks", [link("webhooks", "Overview"), ...webhooks.subsections.map(sectionLink)])}
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
          html`<li><a href="/api/v1/openapi.json">OpenAPI document</a></li>`,
          html`<li><a href="/llms.txt">llms.txt</a></li>`,
          html`<li><a href="/admin/">Admin</a></li>`,
          html`<li hidden data-for-staff><a href="/graphql">GraphQL explorer</a></li>`,
        ])}
      </div>
    </nav>`;
}

function group(title: string, links: Html[], id?: string): Html {
  return html`<p>${id ? html`<a href="#${id}">${title}</a>` : title}</p>
    <ul>
      ${links}
    </ul>`;
}
