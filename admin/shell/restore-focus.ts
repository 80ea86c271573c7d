import { useEffect } from "react";

/** Milliseconds in which a dialog that closes gives the focus back by itself. */
const GRACE = 100;

/** Leads the focus to the page's heading when the element that had it is gone, such as the button of a deleted row. */
export function useKeptFocus(): void {
  useEffect(() => {
    const controller = new AbortController();
    const options = { capture: true, signal: controller.signal };
    let last: EventTarget | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    addEventListener("focusin", ({ target }) => (last = target), options);
    // A press on nothing takes the focus away on purpose.
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
