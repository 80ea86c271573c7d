import type { Chapter } from "./chapters.ts";
import type { ApiError } from "./document.ts";

/** The identifier of the section that explains an error, such as `404-not-found` for all messages of a 404. */
export function anchorOf({ status, message }: ApiError, chapters: Chapter[]): string | undefined {
  const { subsections } = chapters.find(({ section }) => section.id === "errors")!;
  const sections = subsections.filter(({ title }) => title.startsWith(`${status} `));
  const own = sections.find(({ title }) => title === `${status} ${message}`);
  return (own ?? (sections.length === 1 ? sections[0] : undefined))?.id;
}
