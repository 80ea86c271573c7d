import { all, one } from "./elements.ts";
import { copy } from "./copy.ts";

/** Milliseconds. */
const SHOWN = 2_500;

/** Makes the buttons copy the sample that is shown in their card. */
export function offerCopies(): void {
  for (const button of all("[data-copy]")) {
    button.addEventListener("click", () => {
      const text = one("pre:not([hidden])", button.closest("figure")!).textContent;
      void navigator.clipboard.writeText(text).then(
        () => say(button, copy.copied),
        () => say(button, copy.copyFailed),
      );
    });
  }
}

function say(button: HTMLElement, text: string): void {
  const message = document.createElement("span");
  message.setAttribute("role", "status");
  message.className = "message";
  button.before(message);
  message.textContent = text;
  setTimeout(() => message.remove(), SHOWN);
}
