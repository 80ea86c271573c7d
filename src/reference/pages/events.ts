import { toJson } from "../example-request.ts";
import { fieldsOf } from "../fields.ts";
import { html, type Html } from "../html.ts";
import { prose } from "../markdown-to-html.ts";
import type { Reference } from "../reference.ts";
import { codeCard } from "./code.ts";
import { fieldList } from "./field-list.ts";
import { chapterHeading, sectionHeading } from "./heading.ts";

/** Each topic with a sample of its body. */
export function eventsSection({ document, topics }: Reference): Html {
  return html`<section class="chapter" id="events">
    <div class="row">
      <div class="text">
        ${chapterHeading("events", "Events")}
        <p>The body of a delivery has the event’s <code>topic</code>, and in <code>data</code> what the topic needs.</p>
      </div>
    </div>
    ${topics.map(({ name, operation }) => {
      const { schema, example } = operation.requestBody!.content["application/json"]!;
      const data = fieldsOf(document, schema).find((field) => field.name === "data")!;
      return html`<section class="row" id="${name}">
        <div class="text">
          ${sectionHeading(name, name)} ${prose(operation.description)}
          <h4>Fields of <code>data</code></h4>
          ${fieldList(data.children, `${name}.data`, false)}
        </div>
        <div class="aside">${codeCard("Body", `Body of ${name}`, toJson(example))}</div>
      </section>`;
    })}
  </section>`;
}
