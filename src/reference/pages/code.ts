import { html, type Html } from "../html.ts";
import { highlight } from "../highlight.ts";

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
