import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { GraphQLSchema } from "graphql";
import type { Context, Middleware } from "koa";
import { answerFile, answerPage, makeFile, PAGES, type BuiltFile } from "../admin/built-files.ts";
import { addRequestFacts } from "../platform/telemetry/request-facts.ts";
import type { ApiDocument } from "./document.ts";
import { readSchema } from "./graphql-schema.ts";
import { describeIndex, describePages, describeSchema } from "./markdown.ts";
import { renderPage } from "./pages/page.ts";
import { renderSchema } from "./pages/schema.ts";
import { readReference } from "./reference.ts";

/** The place of the page's content in the built file, which has the names of its script and stylesheet. */
const PLACE = "<!-- content -->";

/** Serves the reference of the API: at `/docs` for people, as Markdown pages and `/llms.txt` for language models. */
export function serveReference(document: ApiDocument, schema: GraphQLSchema): Middleware {
  let building: Promise<Map<string, BuiltFile>> | undefined;
  return async (ctx, next) => {
    const isRead = ctx.method === "GET" || ctx.method === "HEAD";
    const path = ctx.path.replace(/(?<=^\/docs)\/$/, "");
    if (!isRead || !/^\/(?:docs(?:\.md|\/graphql|\/[a-z-]+\.md)?|llms\.txt)$/.test(path)) return next();
    building ??= buildFiles(document, schema);
    const files = await building;
    const file = files.get(path);
    if (path === "/docs" || path === "/docs/graphql") return answerPage(note(ctx, path), file);
    if (!file) return next();
    ctx.set("Cache-Control", "no-cache");
    answerFile(note(ctx, path === "/llms.txt" ? path : "/docs/*.md"), file);
  };
}

function note(ctx: Context, route: string): Context {
  addRequestFacts({ route });
  return ctx;
}

/** The files of the reference, by their path. */
async function buildFiles(document: ApiDocument, schema: GraphQLSchema): Promise<Map<string, BuiltFile>> {
  const reference = await readReference(document);
  const pages = describePages(reference);
  const parts = readSchema(schema);
  const texts: Record<string, string> = {
    "/llms.txt": describeIndex(reference, pages),
    "/docs.md": pages.map(({ text }) => text).join("\n"),
    "/docs/graphql.md": describeSchema(parts),
    ...Object.fromEntries(pages.map(({ name, text }) => [`/docs/${name}.md`, text])),
  };
  const template = await readFile(join(PAGES, "docs.html"), "utf8").catch(() => undefined);
  if (template !== undefined) {
    texts["/docs"] = template.replace(PLACE, () => renderPage(reference).text);
    texts["/docs/graphql"] = template
      .replace(/(?<=<title>)[^<]+/, "GraphQL schema, Merchant API reference")
      .replace("/docs.md", "/docs/graphql.md")
      .replace(PLACE, () => renderSchema(document, parts).text);
  }
  const files = Object.entries(texts).map(async ([path, text]) => [path, await makeFile(text)] as const);
  return new Map(await Promise.all(files));
}
