/** The targets of a Link header by relation, as `call` accepts them. */
export function linksOf(headers: Headers): Record<string, string> {
  const links = [...headers.get("link")!.matchAll(/<([^>]+)>; rel="(\w+)"/g)];
  return Object.fromEntries(
    links.map(([, target, relation]) => [relation!, target!.replace(/^https?:\/\/[^/]+\/api\/v1/, "")]),
  );
}
