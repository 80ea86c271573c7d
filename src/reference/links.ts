/** Pages of `docs/` whose text is part of the reference. */
const included = new Set(["api.md", "webhooks.md"]);
/** Sections that the OpenAPI document has instead. */
const replaced: Record<string, string> = { topics: "events" };

/** The address of a link of these pages in the reference. Undefined for other pages, which only the repository has. */
export function linkInReference(href: string): string | undefined {
  if (/^https?:/.test(href)) return href;
  const [page = "", anchor] = href.split("#");
  if (page !== "" && !included.has(page)) return undefined;
  if (anchor === undefined) return page === "webhooks.md" ? "#webhooks" : "#introduction";
  return `#${replaced[anchor] ?? anchor}`;
}

/** Replaces the links of a Markdown text by those of the reference at this address. */
export function relink(markdown: string, address: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label: string, href: string) => {
    const target = linkInReference(href);
    if (target === undefined) return label;
    return `[${label}](${target.startsWith("#") ? address : ""}${target})`;
  });
}
