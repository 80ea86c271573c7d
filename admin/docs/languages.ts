import { all } from "./elements.ts";

const NAME = "docs.language";

/** Shows all samples in the language that the reader chose, also on the next visit. */
export function rememberLanguage(): void {
  for (const button of all("[data-tabs] button[data-language]")) {
    button.addEventListener("click", () => {
      const { top } = button.getBoundingClientRect();
      choose(button.dataset.language!);
      // Samples above may have changed their height.
      scrollBy(0, button.getBoundingClientRect().top - top);
      store(button.dataset.language!);
    });
  }
  const stored = read();
  if (stored) choose(stored);
}

/** Cards without the language keep theirs. */
function choose(language: string): void {
  for (const card of all("[data-tabs]")) {
    const has = all("pre", card).some((pre) => pre.dataset.language === language);
    if (!has) continue;
    for (const pre of all("pre", card)) pre.hidden = pre.dataset.language !== language;
    for (const button of all("button[data-language]", card)) {
      button.setAttribute("aria-pressed", String(button.dataset.language === language));
    }
  }
}

/** A browser that blocks storage throws. */
function store(language: string): void {
  try {
    localStorage.setItem(NAME, language);
  } catch {
    // The choice lasts until the page is closed.
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}
