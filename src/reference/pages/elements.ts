import { html, inline, prose, type Html } from "../markdown-to-html.ts";
import { highlight } from "../highlight.ts";
import type { Field } from "../fields.ts";

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

/** The heading of a chapter without a separate Markdown page. */
export const partHeading = (id: string, title: string): Html =>
  html`<div class="heading">
    <h2>${title}</h2>
    ${anchor(id, title)}
  </div>`;

const anchor = (id: string, title: string) => html`<a class="anchor" href="#${id}" aria-label="Link to ${title}"></a>`;

/** A sample with a button to copy it. */
export function codeCard(label: Html | string, name: string, text: string): Html {
  return html`<figure class="card">
    <figcaption>${label}${copyButton(name)}</figcaption>
    <pre tabindex="0">${color(text)}</pre>
  </figure>`;
}

/** A sample in several languages, of which the script shows the reader's. */
export function tabbedCard(name: string, texts: Record<string, string>, label?: string): Html {
  const [first] = Object.keys(texts);
  return html`<figure class="card" data-tabs>
    <figcaption>
      ${label && html`<span>${label}</span>`}
      <span class="tabs" role="group" aria-label="Language of ${name}">
        ${Object.keys(texts).map(
          (language) =>
            html`<button type="button" data-language="${language}" aria-pressed="${String(language === first)}">
              ${language}
            </button>`,
        )}
      </span>
      ${copyButton(name)}
    </figcaption>
    ${Object.entries(texts).map(
      ([language, text]) =>
        html`<pre tabindex="0" data-language="${language}" ${language !== first && html`hidden`}>${color(text)}</pre>`,
    )}
  </figure>`;
}

const copyButton = (name: string) =>
  html`<button type="button" class="copy" data-copy aria-label="Copy: ${name}">
    <svg width="16" height="16" aria-hidden="true"><use href="#icon-copy" /></svg>
  </button>`;

function color(text: string): Html[] {
  return highlight(text).map((part) =>
    part.kind ? html`<i class="${part.kind}">${part.text}</i>` : html`${part.text}`,
  );
}

/** Fields with their types and texts. The identifiers of their elements begin with the prefix. */
export function fieldList(fields: Field[], prefix: string, marksRequired: boolean): Html {
  return html`<ul class="fields">
    ${fields.map((field) => fieldItem(field, `${prefix}.${field.name}`, marksRequired))}
  </ul>`;
}

/** A type, which leads to its section if it has one. */
export const typeLink = ({ type, typeId }: Pick<Field, "type" | "typeId">): Html =>
  typeId === undefined ? html`${type}` : html`<a href="#${typeId}">${type}</a>`;

function fieldItem({ name, isRequired, ...field }: Field, id: string, marksRequired: boolean): Html {
  const { description, notes, children } = field;
  return html`<li class="field" id="${id}">
    <p>
      <code>${name}</code> <span class="type">${typeLink(field)}</span>
      ${marksRequired && isRequired && html`<span class="required">required</span>`}
    </p>
    ${description && prose(description)} ${notes && html`<p class="soft">${inline(notes)}</p>`}
    ${
      children.length > 0 &&
      html`<details>
        <summary>Fields of <code>${name}</code></summary>
        ${fieldList(children, id, marksRequired)}
      </details>`
    }
  </li>`;
}
