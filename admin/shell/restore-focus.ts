import { useEffect } from "react";

/** Milliseconds in which a closing dialog returns the focus itself. */
const GRACE = 100;

/** Moves the focus to the page's heading when the focused element disappears, such as the button of a deleted row. */
export function useRestoredFocus(): void {
  useEffect(() => {
    const controller = new AbortController();
    const options = { capture: true, signal: controller.signal };
    let last: EventTarget | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    addEventListener("focusin", ({ target }) => (last = target), options);
    // A click on the background removes the focus on purpose.
    addEventListener("pointerdown", () => (last = null), options);
    const rescue = () => {
      timer = undefined;
      const isLost = document.activeElement === document.body && last instanceof Element && !last.isConnected;
      if (isLost) document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => (timer ??= setTimeout(rescue, GRACE)));
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      controller.abort();
      observer.disconnect();
      clearTimeout(timer);
    };
  }, []);
}
