import { highlight } from "../../src/reference/highlight.ts";

/** The elements of the page that match. */
export const all = <Found extends Element = HTMLElement>(selector: string, within: ParentNode = document): Found[] => [
  ...within.querySelectorAll<Found>(selector),
];

/** The element that matches. The server renders it. */
export const one = <Found extends Element = HTMLElement>(selector: string, within: ParentNode = document): Found =>
  within.querySelector<Found>(selector)!;

interface Options {
  class?: string;
  href?: string;
  text?: string;
}

/** Makes an element with text, which never becomes markup. */
export function make(tag: string, { class: name, href, text }: Options = {}, children: Node[] = []): HTMLElement {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (href !== undefined) element.setAttribute("href", href);
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
}

/** Shows a sample with colors. */
export function show(pre: HTMLElement, code: string): void {
  pre.replaceChildren(
    ...highlight(code).map(({ text, kind }) =>
      kind ? make("i", { class: kind, text }) : document.createTextNode(text),
    ),
  );
}
