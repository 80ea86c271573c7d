import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

const BLOCKS = new Set(
  "address article blockquote br dd div dl dt figure footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul".split(
    " ",
  ),
);
const HIDDEN = new Set(["script", "style", "template", "title"]);

const ignored = Object.fromEntries(
  "attribdata attribentity attribend attribname cdata comment declaration end opentagend processinginstruction selfclosingtag"
    .split(" ")
    .map((event) => [`on${event}`, () => undefined]),
) as unknown as TokenizerCallbacks;

/** The text of HTML: a line for each block, and "- " before the items of lists. Other text is returned as it is. */
export function htmlToText(html: string): string {
  if (!/<\/?[a-z!]|&#?\w+;/i.test(html)) return html;
  let text = "";
  let tag = "";
  let hidden: string | undefined;
  // The tokenizer alone takes linear time: the parser looks through all open elements for each one.
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ...ignored,
      ontext: (start, end) => {
        if (!hidden) text += html.slice(start, end).replace(/\s+/g, " ");
      },
      ontextentity: (codePoint) => {
        if (!hidden) text += String.fromCodePoint(codePoint);
      },
      onopentagname: (start, end) => {
        tag = html.slice(start, end).toLowerCase();
        if (HIDDEN.has(tag)) hidden ??= tag;
        else if (BLOCKS.has(tag)) text += "\n";
        if (tag === "li") text += "- ";
        if (tag === "td" || tag === "th") text += " ";
      },
      onclosetag: (start, end) => {
        tag = html.slice(start, end).toLowerCase();
        if (tag === hidden) hidden = undefined;
        else if (BLOCKS.has(tag) && tag !== "li") text += "\n";
      },
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  const lines = text.split("\n").map((line) => line.replace(/[ \u00a0]+/g, " ").trim());
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
