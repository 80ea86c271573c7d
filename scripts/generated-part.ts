const begin = "<!-- begin: npm run generate -->\n";
const end = "<!-- end: npm run generate -->\n";

/** Replaces the generated part of a page. */
export function replaceGenerated(page: string, text: string): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error("The page has no generated part");
  return `${before}${begin}\n${text}\n${end}${after}`;
}
