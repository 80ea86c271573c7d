import { all, one } from "./elements.ts";

/** Marks the part of the page that is being read in the contents, and opens what a link leads to. */
export function followPlace(): void {
  const contents = one("#contents");
  const links = new Map(all<HTMLAnchorElement>("#links a[href^='#']").map((link) => [link.hash.slice(1), link]));
  const parts = all("main section[id]").filter(({ id }) => links.has(id));
  const mark = () => {
    // Of nested parts the last is the innermost.
    const current = parts.findLast((part) => part.getBoundingClientRect().top < innerHeight / 4) ?? parts[0]!;
    for (const link of links.values()) link.removeAttribute("aria-current");
    const link = links.get(current.id)!;
    link.setAttribute("aria-current", "location");
    keepInView(contents, link);
  };
  addEventListener("scroll", () => requestAnimationFrame(mark), { passive: true });
  mark();
  contents.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a")) contents.hidePopover();
  });
  addEventListener("hashchange", openTarget);
  openTarget();
}

/** Scrolls the contents alone. `scrollIntoView` would scroll the page too. */
function keepInView(contents: HTMLElement, link: HTMLElement): void {
  const { top, bottom, height } = contents.getBoundingClientRect();
  const at = link.getBoundingClientRect();
  if (at.top < top || at.bottom > bottom) contents.scrollTop += at.top - top - height / 3;
}

function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  let isOpened = false;
  for (let closed = target?.closest("details:not([open])"); closed; closed = target!.closest("details:not([open])")) {
    closed.setAttribute("open", "");
    isOpened = true;
  }
  if (isOpened) target!.scrollIntoView();
}
