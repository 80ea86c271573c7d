import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Token } from "marked";
import { anchorInReference, lex } from "./markdown-to-html.ts";

/** A heading with the text below it. */
export interface Section {
  id: string;
  title: string;
  tokens: Token[];
}

/** A part of the reference that people wrote. */
export interface Chapter {
  section: Section;
  subsections: Section[];
}

/** The pages that people wrote, relative to this file as a source or as compiled. */
const DOCS = join(import.meta.dirname, import.meta.filename.endsWith(".ts") ? "../../docs" : "../../../docs");
/** About developing this service, and what the OpenAPI document has. */
const omitted = new Set(["Develop on your machine", "Topics"]);

export const readDoc = (path: string): Promise<string> => readFile(join(DOCS, path), "utf8");

/** The chapters of the API, of which the first introduces it. */
export async function readApiChapters(): Promise<Chapter[]> {
  const [introduction, ...chapters] = split(lex(await readDoc("api.md")), 2);
  return [
    { section: { ...introduction!, id: "introduction", title: "Introduction" }, subsections: [] },
    ...chapters.map(({ tokens, ...section }) => {
      const [first, ...subsections] = split(tokens, 3);
      return { section: { ...section, tokens: first!.tokens }, subsections };
    }),
  ];
}

/** A page as a chapter, without what the reference omits. */
export async function readChapter(path: string, id: string, title: string): Promise<Chapter> {
  const [first, ...sections] = split(lex(await readDoc(path)), 2);
  return { section: { ...first!, id, title }, subsections: sections.filter((each) => !omitted.has(each.title)) };
}

/** The chapter of copies, which begins with the program. */
export async function readCopyChapter(): Promise<Chapter> {
  const program = await readDoc("receivers/typescript/copy.ts");
  const { section, subsections } = await readChapter("copy.md", "copy", "Keep a copy of a shop");
  const tokens = [...section.tokens, ...lex(`\n\n\`\`\`ts\n${program}\`\`\`\n`)];
  return { section: { ...section, tokens }, subsections };
}

/** Splits a text at its headings of a depth. The first section is what comes before. */
function split(tokens: Token[], depth: number): Section[] {
  const sections: Section[] = [{ id: "", title: "", tokens: [] }];
  for (const token of tokens) {
    if (token.type === "heading" && token.depth === depth) {
      sections.push({ id: anchorInReference(toId(token.text as string)), title: token.text as string, tokens: [] });
    } else if (!isTitle(token) && !isContents(token)) {
      sections.at(-1)!.tokens.push(token);
    }
  }
  return sections;
}

const isTitle = (token: Token) => token.type === "heading" && token.depth === 1;

const isContents = (token: Token) => token.type === "list" && /^- \[[^\]]+\]\(#/.test(token.raw);

/** The anchor that GitHub makes of a heading. */
const toId = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

/** A section as Markdown, as it was written. */
export const textOf = ({ tokens }: Section): string => tokens.map(({ raw }) => raw).join("");
