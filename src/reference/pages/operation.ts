import { errorsOf, successOf, type Parameter, type Route } from "../document.ts";
import { exampleRequest, toJson } from "../example-request.ts";
import { anchorOf } from "../error-anchors.ts";
import { fieldsOf, headerFields, parameterField, type Field } from "../fields.ts";
import { html, type Html } from "../html.ts";
import { prose } from "../markdown-to-html.ts";
import type { Reference } from "../reference.ts";
import { samples } from "../samples.ts";
import { codeCard, tabbedCard } from "./code.ts";
import { fieldList } from "./field-list.ts";
import { sectionHeading } from "./heading.ts";
import { tryIt } from "./try-it.ts";

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
