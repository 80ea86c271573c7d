import type { Parameter, Route } from "../document.ts";
import { exampleBody, exampleOf, needsKey } from "../example-request.ts";
import { html, type Html } from "../html.ts";

/** The form that sends a request. The script of the page reads it. */
export function tryIt({ method, path, operation }: Route): Html {
  const { operationId, parameters = [] } = operation;
  const body = exampleBody(operation);
  return html`<details class="try">
    <summary>Try it</summary>
    <form data-method="${method}" data-path="${path}" ${needsKey(operation) && html`data-needs-key`}>
      ${needsKey(operation) && keyField(operationId)} ${parameters.map((each) => parameterInput(each, operationId))}
      ${
        body !== undefined &&
        html`<label for="${operationId}-body">Body</label>
          <textarea id="${operationId}-body" name="body" rows="8" spellcheck="false">${body}</textarea>`
      }
      <button type="submit" class="primary">Send ${method}</button>
      <div role="status" class="answer"></div>
    </form>
  </details>`;
}

/** Without it, a browser refuses other characters in its own words. */
const HEADER_VALUE = html`pattern="[ -~]*" title="Use only ASCII letters, digits and punctuation."`;

const keyField = (operationId: string) =>
  html`<label for="${operationId}-key">API key</label>
    <input
      id="${operationId}-key"
      type="password"
      name="key"
      autocomplete="off"
      aria-describedby="${operationId}-key-hint"
      ${HEADER_VALUE}
    />
    <p class="soft" id="${operationId}-key-hint">
      Use a read-only key that expires soon. This page doesn’t store it.
    </p>`;

function parameterInput(parameter: Parameter, operationId: string): Html {
  const { name, required } = parameter;
  const id = `${operationId}-${name}`;
  return html`<label for="${id}"><code>${name}</code> <span class="soft">${parameter.in}</span></label>
    <input
      id="${id}"
      name="${name}"
      data-in="${parameter.in}"
      placeholder="${exampleOf(parameter) ?? ""}"
      autocomplete="off"
      spellcheck="false"
      ${required && html`required`}
      ${parameter.in === "header" && HEADER_VALUE}
    />`;
}
