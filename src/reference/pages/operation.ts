import {
  errorsOf,
  successOf,
  anchorOf,
  exampleRequest,
  toJson,
  exampleBody,
  exampleOf,
  needsKey,
  type Parameter,
  type Route,
} from "../document.ts";
import { fieldsOf, headerFields, parameterField, type Field } from "../fields.ts";
import { html, prose, type Html } from "../markdown-to-html.ts";
import type { Reference } from "../reference.ts";
import { samples } from "../samples.ts";
import { codeCard, tabbedCard, sectionHeading, fieldList } from "./elements.ts";

/** An operation: its text, and beside it a request and its response. */
export function operationSection(reference: Reference, route: Route): Html {
  const { document } = reference;
  const { method, path, operation } = route;
  const { operationId, summary } = operation;
  const { status, response } = successOf(operation);
  const request = exampleRequest(document, route);
  const texts = Object.fromEntries(Object.entries(samples).map(([language, print]) => [language, print(request)]));
  const label = html`<span>Response <b class="status">${status}</b></span>`;
  return html`<section class="row" id="${operationId}" data-operation>
    <div class="text">
      ${sectionHeading(operationId, summary)}
      <p class="endpoint">${methodBadge(method)} <code>${path}</code></p>
      ${prose(operation.description)} ${inputs(reference, route)} ${outputs(reference, route)}
    </div>
    <div class="aside">
      ${tabbedCard(summary, texts)} ${tryIt(route)}
      ${codeCard(label, `Response of ${summary}`, toJson(response.content!["application/json"]!.example))}
    </div>
  </section>`;
}

export const methodBadge = (method: string) => html`<span class="method ${method.toLowerCase()}">${method}</span>`;

function inputs({ document }: Reference, { operation }: Route): Html {
  const { operationId, parameters = [], requestBody } = operation;
  const of = (place: Parameter["in"]) =>
    parameters.filter((each) => each.in === place).map((each) => parameterField(document, each));
  const body = requestBody ? fieldsOf(document, requestBody.content["application/json"]!.schema) : [];
  return html`${group("Path parameters", of("path"), operationId, true)}
  ${group("Query parameters", of("query"), operationId, true)} ${group("Headers", of("header"), operationId, true)}
  ${group("Body", body, `${operationId}.body`, true)}`;
}

function outputs({ document, chapters }: Reference, { operation }: Route): Html {
  const { operationId } = operation;
  const { response } = successOf(operation);
  const body = fieldsOf(document, response.content!["application/json"]!.schema);
  const errors = errorsOf(operation);
  return html`${group("Response", body, `${operationId}.response`, false)}
  ${group("Response headers", headerFields(document, response), `${operationId}.response`, false)}
  ${
    errors.length > 0 &&
    html`<h4>Errors</h4>
      <ul class="errors">
        ${errors.map(
          (error) =>
            html`<li>
              <a href="#${anchorOf(error, chapters)}"><b class="status bad">${error.status}</b> ${error.message}</a>
            </li>`,
        )}
      </ul>`
  }`;
}

function group(title: string, fields: Field[], prefix: string, marksRequired: boolean): Html | false {
  return (
    fields.length > 0 &&
    html`<h4>${title}</h4>
      ${fieldList(fields, prefix, marksRequired)}`
  );
}

/** The form that sends a request. The script of the page reads it. */
function tryIt({ method, path, operation }: Route): Html {
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
