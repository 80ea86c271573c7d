import type { Token, Tokens } from "marked";
import type { Chapter, Section } from "../chapters.ts";
import { html, toHtml, prose, type Html } from "../markdown-to-html.ts";
import { codeCard, tabbedCard, chapterHeading, sectionHeading, fieldList } from "./elements.ts";
import { toJson } from "../document.ts";
import { fieldsOf } from "../fields.ts";
import type { Reference } from "../reference.ts";

/** A chapter. Beside each of its sections stand the section's samples. */
export function chapterSection({ section, subsections }: Chapter, receivers: Record<string, string> = {}): Html {
  return html`<section class="chapter" id="${section.id}">
    ${row(section, chapterHeading(section.id, section.title), sampleCards(section))}
    ${subsections.map((each) => subsection(each, receivers))}
  </section>`;
}

function subsection(section: Section, receivers: Record<string, string>): Html {
  const { id, title } = section;
  const cards = sampleCards(section);
  if (id === "verification") cards.push(tabbedCard("a receiver", receivers, "Receiver"));
  return html`<section id="${id}">${row(section, sectionHeading(id, title), cards)}</section>`;
}

function row({ tokens }: Section, title: Html, cards: Html[]): Html {
  return html`<div class="row">
    <div class="text">${title} ${toHtml(tokens.filter((token) => !isSample(token)))}</div>
    ${cards.length > 0 && html`<div class="aside">${cards}</div>`}
  </div>`;
}

/** Code without a language belongs to the text. */
const isSample = (token: Token): token is Tokens.Code => token.type === "code" && Boolean((token as Tokens.Code).lang);

function sampleCards({ tokens, title }: Section): Html[] {
  return tokens.filter(isSample).flatMap(({ lang, text }) => {
    if (lang !== "console") return [codeCard(labels[lang!] ?? lang!, title || "Sample", text)];
    const { command, output } = splitConsole(text);
    return [codeCard("Shell", `Request, ${title}`, command), codeCard("Response", `Response, ${title}`, output)];
  });
}

const labels: Record<string, string> = {
  graphql: "GraphQL",
  json: "Response",
  http: "HTTP",
  sh: "Shell",
  ts: "TypeScript",
};

/** A command and what it prints, which is JSON. */
function splitConsole(text: string): { command: string; output: string } {
  const [, command = "", output = ""] = /^\$ ((?:.*\\\n)*.*)\n([\s\S]*)$/.exec(text)!;
  return { command, output: JSON.stringify(JSON.parse(output.replaceAll("\n", "")), null, 2) };
}

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
