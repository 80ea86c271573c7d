import type { Field } from "../fields.ts";
import { html, type Html } from "../html.ts";
import { inline, prose } from "../markdown-to-html.ts";

/** Fields with their types and texts. The identifiers of their elements begin with the prefix. */
export function fieldList(fields: Field[], prefix: string, marksRequired: boolean): Html {
  return html`<ul class="fields">
    ${fields.map((field) => fieldItem(field, `${prefix}.${field.name}`, marksRequired))}
  </ul>`;
}

function fieldItem({ name, type, isRequired, ...field }: Field, id: string, marksRequired: boolean): Html {
  const { description, notes, children } = field;
  return html`<li class="field" id="${id}">
    <p>
      <code>${name}</code> <span class="type">${type}</span>
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
