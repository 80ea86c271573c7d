import type { Context, Middleware } from "koa";
import createError from "http-errors";
import { addRequestFacts } from "../platform/telemetry/request-facts.ts";
import { answerFile, answerPage, PAGES, readFiles, type BuiltFile } from "./built-files.ts";

/** Assets have a hash of their content in their name, so they never change. */
const FOREVER = "public, max-age=31536000, immutable";

/** A route: its name in the log, metrics and traces, its paths and its handler. */
interface Route {
  name: string;
  paths: RegExp;
  answer: (ctx: Context, files: Map<string, BuiltFile>) => void;
}

/** Every path below `/admin` that is not an asset serves the same page, which has its own router. */
const routes: Route[] = [
  { name: "/", paths: /^\/$/, answer: (ctx) => ctx.redirect("/admin/") },
  { name: "/admin/assets/*", paths: /^\/admin\/assets\//, answer: answerAsset },
  { name: "/admin/*", paths: /^\/admin(\/|$)/, answer: (ctx, files) => answerPage(ctx, files.get("index.html")) },
];

/** Serves Admin. `/` redirects to it. */
export async function serveAdmin(): Promise<Middleware> {
  const files = await readFiles(PAGES);
  return async (ctx, next) => {
    const isRead = ctx.method === "GET" || ctx.method === "HEAD";
    const route = isRead ? routes.find(({ paths }) => paths.test(ctx.path)) : undefined;
    if (!route) return next();
    addRequestFacts({ route: route.name });
    return route.answer(ctx, files);
  };
}

function answerAsset(ctx: Context, files: Map<string, BuiltFile>): void {
  const file = files.get(ctx.path.slice("/admin/".length));
  if (!file) throw createError(404, "Not found");
  ctx.set("Cache-Control", FOREVER);
  answerFile(ctx, file);
}
