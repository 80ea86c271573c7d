import { createHash } from "node:crypto";
import type { Context } from "koa";

export const FIRST_QUERY = `# Log in as a staff member of the demo: npm start prints one login, and .data/demo.json has all of them.
# The session lasts 12 hours. To end it earlier, run the mutation logOut.
#
# Press Ctrl-Enter to run the operation at the cursor.

mutation LogIn {
  logIn(email: "owner@harbour-goods.example", password: "") {
    id
  }
}

# Then list your shops and permissions. To browse the schema, click the book icon on the left.

query Shops {
  viewer {
    memberships {
      permissions
      shop {
        id
        name
      }
    }
  }
}
`;

/** Returns true when a browser requests a page. */
export function wantsExplorer(ctx: Context): boolean {
  if (ctx.method !== "GET" && ctx.method !== "HEAD") return false;
  return ctx.accepts("application/json", "application/graphql-response+json", "text/html") === "text/html";
}

interface Page {
  html: Buffer;
  policy: string;
}

let page: Promise<Page | undefined> | undefined;

/** Serves GraphiQL as a single page that loads nothing from elsewhere. */
export async function answerExplorer(ctx: Context): Promise<void> {
  page ??= renderPage();
  const rendered = await page;
  ctx.set("Cache-Control", "no-store");
  if (!rendered) {
    ctx.status = 404;
    ctx.body = "The explorer is not part of a production installation.\n";
    return;
  }
  ctx.set("Content-Security-Policy", rendered.policy);
  ctx.set("X-Frame-Options", "DENY");
  ctx.set("Referrer-Policy", "no-referrer");
  ctx.type = "text/html; charset=utf-8";
  ctx.body = rendered.html;
}

async function renderPage(): Promise<Page | undefined> {
  try {
    // Loads 9 MB, so only when a developer opens the page. Imported without its types, which would make browser globals
    // visible in every file.
    const address = import.meta.resolve("@graphql-yoga/render-graphiql");
    const { renderGraphiQL } = (await import(address)) as { renderGraphiQL: (options: object) => string };
    const html = renderGraphiQL({ title: "Merchant API", endpoint: "/graphql", defaultQuery: FIRST_QUERY });
    return { html: Buffer.from(html), policy: contentPolicy(html) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

/** Allows the page its own script, by digest, and requests to this server only. */
function contentPolicy(html: string): string {
  const start = html.indexOf("<script>") + "<script>".length;
  const script = html.slice(start, html.lastIndexOf("</script>")).replaceAll(/\r\n?/g, "\n");
  const digest = createHash("sha256").update(script).digest("base64");
  return [
    "default-src 'none'",
    `script-src 'sha256-${digest}'`,
    "worker-src blob:",
    // The editor creates style sheets at run time.
    "style-src 'unsafe-inline'",
    "img-src data:",
    "font-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
