import { oneLine } from "../texts.ts";

/** The content of a mail, rendered as text and HTML. */
export interface Letter {
  subject: string;
  paragraphs: readonly string[];
  /** A list after the first paragraph. */
  items?: readonly string[];
  link?: { label: string; url: string };
  /** Why the recipient gets the mail. */
  footer: string;
}

/** Puts each part into one line, since names of shops may be older than the rule that they are. */
export function renderLetter(given: Letter): { subject: string; text: string; html: string } {
  const { paragraphs, items, link, subject, footer } = given;
  const letter = {
    subject: oneLine(subject),
    paragraphs: paragraphs.map(oneLine),
    items: items?.map(oneLine),
    link: link && { ...link, label: oneLine(link.label) },
    footer: oneLine(footer),
  };
  return { subject: letter.subject, text: renderText(letter), html: renderHtml(letter) };
}

function renderText({ paragraphs: [first = "", ...others], items = [], link, footer }: Letter): string {
  const list = items.map((item) => `- ${item}`).join("\n");
  const parts = [first, list, link && `${link.label}:\n${link.url}`, ...others, `-- \n${footer}`];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function renderHtml({ subject, paragraphs: [first = "", ...others], items = [], link, footer }: Letter): string {
  const paragraph = (text: string) => `<p>${escapeHtml(text)}</p>`;
  const list = items.map((item) => `<li>${escapeHtml(item)}</li>`).join("");
  const parts = [
    paragraph(first),
    list && `<ul>${list}</ul>`,
    link && `<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`,
    ...others.map(paragraph),
    `<p style="color:#666;font-size:small">${escapeHtml(footer)}</p>`,
  ];
  const head = `<meta charset="utf-8"><title>${escapeHtml(subject)}</title>`;
  const body = `<body style="font-family:sans-serif;max-width:40em">\n${parts.filter(Boolean).join("\n")}\n</body>`;
  return `<!doctype html>\n<html lang="en">\n<head>${head}</head>\n${body}\n</html>\n`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
