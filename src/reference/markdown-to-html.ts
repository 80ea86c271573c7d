import { Marked, type Token, type Tokens } from "marked";

/** Markup. Any other text is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | Html[] | string | number | false | undefined;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => entities[character]!);

/** Makes markup from a template, whose values are escaped unless they are markup themselves. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(strings.reduce((text, string, index) => text + render(values[index - 1]) + string));
}

function render(value: Value): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join("");
  return value === false || value === undefined ? "" : escape(String(value));
}

const marked = new Marked({
  renderer: {
    link({ href, tokens }: Tokens.Link) {
      const label = new Html(this.parser.parseInline(tokens));
      const target = linkInReference(href);
      return target === undefined ? label.text : html`<a href="${target}">${label}</a>`.text;
    },
    /** An item such as "`too_big`: Send less." looks like a field, and the search finds it. */
    listitem({ text }: Tokens.ListItem) {
      const [, name, rest] = /^`([^`]+)`: ([\s\S]*)$/.exec(text) ?? [];
      return (
        rest !== undefined &&
        html`<li class="field" id="code-${name}">
          <p><code>${name}</code></p>
          <p>${inline(rest)}</p>
        </li>`.text
      );
    },
    // It scrolls by keyboard too.
    code: ({ text }: Tokens.Code) => html`<pre tabindex="0">${text}</pre>`.text,
    // Boxes that nobody can tick.
    checkbox: () => "",
    table(token: Tokens.Table) {
      const row = (cells: Tokens.TableCell[], tag: "td" | "th") =>
        cells.map((cell) => new Html(`<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`));
      return html`<div class="table" tabindex="0">
        <table>
          <thead>
            <tr>
              ${row(token.header, "th")}
            </tr>
          </thead>
          <tbody>
            ${token.rows.map(
              (cells) =>
                html`<tr>
                  ${row(cells, "td")}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`.text;
    },
  },
});

export const lex = (markdown: string): Token[] => marked.lexer(markdown);

export const toHtml = (tokens: Token[]): Html => new Html(marked.parser(tokens));

/** A text with paragraphs. */
export const prose = (markdown: string): Html => toHtml(lex(markdown));

/** A text of one paragraph, without its element. */
export const inline = (markdown: string): Html => new Html(marked.parseInline(markdown) as string);

/** Pages of `docs/` whose text is part of the reference. */
const included = new Map([
  ["api.md", "#introduction"],
  ["copy.md", "#copy"],
  ["tills.md", "#tills"],
  ["imports.md", "#imports"],
  ["mcp.md", "#mcp"],
  ["testing.md", "#testing"],
  ["webhooks.md", "#webhooks"],
]);
/** The anchors of the reference that differ from those of these pages. Links elsewhere have them. */
const anchors: Record<string, string> = {
  topics: "events",
  "verify-the-signature": "verification",
  "answer-quickly": "answering",
};

export const anchorInReference = (anchor: string): string => anchors[anchor] ?? anchor;

/** The address of a link of these pages in the reference. Undefined for other pages, which only the repository has. */
function linkInReference(href: string): string | undefined {
  if (/^https?:/.test(href)) return href;
  const [page = "", anchor] = href.split("#");
  if (page !== "" && !included.has(page)) return undefined;
  if (anchor === undefined) return included.get(page);
  return `#${anchorInReference(anchor)}`;
}

/** Replaces the links of a Markdown text by those of the reference at this address. */
export function relink(markdown: string, address: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label: string, href: string) => {
    const target = linkInReference(href);
    if (target === undefined) return label;
    return `[${label}](${target.startsWith("#") ? address : ""}${target})`;
  });
}
