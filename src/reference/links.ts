/** Pages of `docs/` whose text is part of the reference. */
const included = new Set(["api.md", "webhooks.md"]);
/** The anchors of the reference that differ from those of these pages. Links elsewhere have them. */
const anchors: Record<string, string> = {
  topics: "events",
  "verify-the-signature": "verification",
  "answer-quickly": "answering",
};

export const anchorInReference = (anchor: string): string => anchors[anchor] ?? anchor;

/** The address of a link of these pages in the reference. Undefined for other pages, which only the repository has. */
export function linkInReference(href: string): string | undefined {
  if (/^https?:/.test(href)) return href;
  const [page = "", anchor] = href.split("#");
  if (page !== "" && !included.has(page)) return undefined;
  if (anchor === undefined) return page === "webhooks.md" ? "#webhooks" : "#introduction";
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
