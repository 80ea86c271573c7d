import { html, type Html } from "../html.ts";

/** The heading of a chapter, with links to it and to its Markdown. */
export const chapterHeading = (id: string, title: string): Html =>
  html`<div class="heading">
    <h2>${title}</h2>
    ${anchor(id, title)}
    <a class="markdown" href="/docs/${id.toLowerCase()}.md" type="text/markdown">Markdown</a>
  </div>`;

/** The heading of a section, with a link to it. */
export const sectionHeading = (id: string, title: string): Html =>
  html`<div class="heading">
    <h3>${title}</h3>
    ${anchor(id, title)}
  </div>`;

const anchor = (id: string, title: string) => html`<a class="anchor" href="#${id}" aria-label="Link to ${title}"></a>`;
