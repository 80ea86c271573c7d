import { Dialog } from "@base-ui/react/dialog";
import { Outlet, useChildMatches } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { useShop } from "../queries.ts";
import { CloseIcon, MenuIcon } from "../ui/icons.tsx";
import { Empty, Notice, Skeleton } from "../ui/states.tsx";
import { Navigation } from "./navigation.tsx";
import { NoPermission } from "./no-permission.tsx";
import { PlanNotice, ServerStatus } from "./notices.tsx";
import { sections, type SectionPage } from "./sections.ts";
import { Shortcuts } from "./shortcuts.tsx";
import dialog from "../ui/dialogs/dialog.module.css";
import styles from "./shell.module.css";
import { copy } from "./copy.ts";

/** The frame of a shop's pages, with the menu. On narrow screens the menu opens as a dialog. */
export function Shell() {
  const [isOpen, setOpen] = useState(false);
  const [hasShortcuts, showShortcuts] = useState(false);
  const shop = useShop();
  useRestoredFocus();
  const isSandbox = shop.sandboxOf !== null;
  return (
    <div className={styles.shell} data-sandbox={isSandbox || undefined}>
      <a className={styles.skip} href="#content">
        {copy.skipToContent}
      </a>
      <aside className={styles.side}>
        <Navigation onLeave={() => undefined} onShowShortcuts={() => showShortcuts(true)} />
      </aside>
      <header className={styles.bar}>
        <Dialog.Root open={isOpen} onOpenChange={setOpen}>
          <Dialog.Trigger className={styles.open} aria-label={copy.menu}>
            <MenuIcon />
          </Dialog.Trigger>
          <Dialog.Portal>
            <Dialog.Backdrop className={dialog.backdrop} />
            <Dialog.Popup
              initialFocus={() => document.querySelector<HTMLElement>(`.${styles.popup} a`)}
              className={styles.popup}
              aria-label={copy.menu}
            >
              <Dialog.Close className={styles.open} aria-label={copy.close}>
                <CloseIcon />
              </Dialog.Close>
              <Navigation onLeave={() => setOpen(false)} onShowShortcuts={() => showShortcuts(true)} />
            </Dialog.Popup>
          </Dialog.Portal>
        </Dialog.Root>
        <strong>{shop.name}</strong>
      </header>
      <main id="content" className={styles.main} tabIndex={-1}>
        <ServerStatus />
        <PlanNotice />
        {isSandbox && <Notice tone="warning">{copy.sandbox.notice}</Notice>}
        <Suspense fallback={<Skeleton />}>
          <Content />
        </Suspense>
      </main>
      <Shortcuts isShown={hasShortcuts} onShow={showShortcuts} />
    </div>
  );
}

/** The page, if the viewer's role can open it. */
function Content() {
  const { can, sandboxState } = useShop();
  const path = useChildMatches({ select: ([match]) => match?.fullPath ?? "" });
  const pages = sections.flatMap((section): SectionPage[] => section.pages);
  const closed = pages.find(({ to, needs }) => needs && !can(needs) && path.startsWith(to));
  if (sandboxState === "FILLING") return <Empty title={copy.sandbox.filling}>{copy.sandbox.fillingText}</Empty>;
  return closed ? <NoPermission title={closed.title} /> : <Outlet />;
}

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
