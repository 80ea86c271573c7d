import { readApiChapters, readChapter, readCopyChapter, readDoc, type Chapter } from "./chapters.ts";
import { routesOf, type ApiDocument, type Operation, type Route } from "./document.ts";

/** Everything that the reference shows: the OpenAPI document, and chapters that people wrote. */
export interface Reference {
  document: ApiDocument;
  chapters: Chapter[];
  webhooks: Chapter;
  copy: Chapter;
  /** Complete receivers of webhooks, by language. */
  receivers: Record<string, string>;
  resources: Resource[];
  topics: Topic[];
  changelog: Chapter;
}

/** A tag of the document with its operations. */
export interface Resource {
  name: string;
  description: string;
  routes: Route[];
}

interface Topic {
  name: string;
  operation: Operation;
}

const receivers = {
  TypeScript: "typescript/receiver-standardwebhooks.ts",
  Python: "python/receiver.py",
  PHP: "php/receiver.php",
  Go: "go/receiver.go",
};

export async function readReference(document: ApiDocument): Promise<Reference> {
  const texts = Object.entries(receivers).map(async ([language, file]) => [
    language,
    (await readDoc(`receivers/${file}`)).trimEnd(),
  ]);
  return {
    document,
    chapters: [
      ...(await readApiChapters()),
      await readChapter("tills.md", "tills", "Sell at a till"),
      await readChapter("imports.md", "imports", "Import and export CSV files"),
      await readChapter("mcp.md", "mcp", "Connect an assistant"),
      await readChapter("testing.md", "testing", "Test your integration"),
    ],
    webhooks: await readChapter("webhooks.md", "webhooks", "Webhooks"),
    copy: await readCopyChapter(),
    receivers: Object.fromEntries(await Promise.all(texts)) as Record<string, string>,
    resources: document.tags
      .map((tag) => ({ ...tag, routes: routesOf(document, tag.name) }))
      .filter(({ routes }) => routes.length > 0),
    topics: Object.entries(document["x-webhooks"]).map(([name, { post }]) => ({ name, operation: post })),
    changelog: await readChapter("../CHANGELOG.md", "changelog", "Changelog"),
  };
}
