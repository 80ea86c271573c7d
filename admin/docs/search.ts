import { all, make, one } from "./elements.ts";
import { copy } from "./copy.ts";

const MAX_RESULTS = 30;

interface Entry {
  id: string;
  title: string;
  /** Names the part of the page that it is in. */
  where: string;
  text: string;
}

/** Finds operations, chapters, errors and fields. The page itself is the index. */
export function offerSearch(): void {
  const field = one<HTMLInputElement>("#find");
  let entries: Entry[] | undefined;
  field.addEventListener("input", () => {
    entries ??= readEntries();
    showResults(field.value.trim() === "" ? undefined : find(entries, field.value));
  });
  one("#contents").addEventListener("keydown", (event) => moveFocus(event, field));
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
    event.preventDefault();
    field.focus();
  });
}

const isTyping = (target: EventTarget | null) => target instanceof Element && target.matches("input, textarea");

function readEntries(): Entry[] {
  const sections = all("main section[id]").map((section) => ({
    id: section.id,
    title: titleOf(section),
    where: section.parentElement!.id ? titleOf(section.parentElement!) : "",
    text: one(".text", section).textContent,
  }));
  const fields = all("main li.field[id]").map((item) => ({
    id: item.id,
    title: one("code", item).textContent,
    where: titleOf(item.closest("section[id]")!),
    text: item.textContent,
  }));
  return [...sections, ...fields];
}

const titleOf = (section: Element) => one("h2, h3", section).textContent;

/**
 * Entries that contain all words, those with words in their title first: "rate limit" finds Limits, whose text has both.
 * If there are none, each word may have a typo.
 */
function find(entries: Entry[], query: string): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const exact = rank(
    entries,
    words.map((word) => (text: string) => text.includes(word)),
    words.join(" "),
  );
  return exact.length > 0 ? exact : rank(entries, words.map(allowTypo));
}

type Match = (text: string) => boolean;

function rank(entries: Entry[], matches: Match[], beginning = "\n"): Entry[] {
  const has = (text: string) => matches.every((match) => match(text.toLowerCase()));
  const rankOf = ({ title }: Entry) => {
    if (title.toLowerCase().startsWith(beginning)) return 0;
    if (has(title)) return 1;
    return matches.some((match) => match(title.toLowerCase())) ? 2 : 3;
  };
  return entries
    .filter(({ title, where, text }) => has(`${title} ${where} ${text}`))
    .toSorted((left, right) => rankOf(left) - rankOf(right));
}

/** Matches a word with a letter more, less or different after the first, or with two swapped. Short words are exact. */
function allowTypo(word: string): Match {
  if (!/^\w{4,}$/.test(word)) return (text) => text.includes(word);
  const typos = Array.from(word.slice(1), (letter, index) => {
    const [before, after] = [word.slice(0, index + 1), word.slice(index + 2)];
    return `${before}(?:\\w{0,2}${after}|${after.slice(0, 1)}${letter}${after.slice(1)})`;
  });
  const pattern = new RegExp(`\\b(?:${typos.join("|")})`);
  return (text) => pattern.test(text);
}

/** Shows what was found instead of the contents. Undefined shows the contents. */
function showResults(found: Entry[] | undefined): void {
  one("#links").hidden = found !== undefined;
  one("#results").hidden = found === undefined;
  one("#found").textContent = found ? copy.found(found.length) : "";
  one("#results").replaceChildren(
    ...(found ?? []).slice(0, MAX_RESULTS).map(({ id, title, where }) => {
      const parts = [document.createTextNode(title), make("small", { text: where })];
      return make("li", {}, [make("a", { href: `#${id}` }, parts)]);
    }),
  );
}

/** Arrows move between the field and the results, Enter opens the first, Escape clears the field. */
function moveFocus(event: KeyboardEvent, field: HTMLInputElement): void {
  const stops = [field, ...all<HTMLAnchorElement>("#results a")];
  const at = stops.indexOf(document.activeElement as HTMLAnchorElement);
  if (event.key === "Enter" && at === 0) {
    stops[1]?.click();
  } else if (event.key === "Escape" && field.value !== "") {
    event.preventDefault();
    field.value = "";
    showResults(undefined);
    field.focus();
  } else if (at >= 0 && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    stops[at + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
  }
}
