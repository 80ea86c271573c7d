import { html, type Html } from "../html.ts";
import type { Reference, Resource } from "../reference.ts";
import { chapterSection } from "./chapter.ts";
import { contents } from "./contents.ts";
import { eventsSection } from "./events.ts";
import { chapterHeading } from "./heading.ts";
import { methodBadge, operationSection } from "./operation.ts";

/** The body of the page at `/docs`. */
export function renderPage(reference: Reference): Html {
  const { document, chapters, webhooks, receivers, resources } = reference;
  return html`${icons} <a class="skip" href="#introduction">Skip to content</a>
    ${contents(reference)}
    <main data-origin="${document.servers[0]!.url}">
      <h1>${document.info.title} reference</h1>
      ${chapters.map((chapter) => chapterSection(chapter))} ${chapterSection(webhooks, receivers)}
      ${resources.map((resource) => resourceSection(reference, resource))} ${eventsSection(reference)}
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
