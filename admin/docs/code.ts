import { highlight } from "../../src/reference/highlight.ts";
import { make } from "./elements.ts";

/** Shows a sample with colors. */
export function show(pre: HTMLElement, code: string): void {
  pre.replaceChildren(
    ...highlight(code).map(({ text, kind }) =>
      kind ? make("i", { class: kind, text }) : document.createTextNode(text),
    ),
  );
}
