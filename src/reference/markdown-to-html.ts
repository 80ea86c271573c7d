import { Marked, type Token, type Tokens } from "marked";
import { Html, html } from "./html.ts";
import { linkInReference } from "./links.ts";

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
