import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useShop, useViewer } from "../queries.ts";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { Switch } from "../ui/forms/form.tsx";
import { fact, Facts } from "../ui/page.tsx";
import { useOpenSections } from "./sections.ts";
import styles from "./shell.module.css";
import { copy } from "./copy.ts";

/** Milliseconds that a letter may follow g. */
const SEQUENCE = 1_500;

const storedAs = (staffId: string) => `shortcuts-of-${staffId}`;

/** Whether the viewer turned the shortcuts on in this browser. */
function areOn(staffId: string): boolean {
  try {
    return localStorage.getItem(storedAs(staffId)) === "on";
  } catch {
    // A browser that blocks storage throws.
    return false;
  }
}

function remember(staffId: string, isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(storedAs(staffId), "on");
    else localStorage.removeItem(storedAs(staffId));
  } catch {
    // The choice lasts until the page is closed.
  }
}

interface ShortcutsProps {
  isShown: boolean;
  onShow: (isShown: boolean) => void;
}

/**
 * Keys that work while no field and no dialog has the focus: / searches, ? shows the keys, and g opens a page. The
 * dialog turns them on and off: speech input types the words that it hears.
 */
export function Shortcuts({ isShown, onShow }: ShortcutsProps) {
  const { id: shopId } = useShop();
  const { id: staffId } = useViewer();
  const navigate = useNavigate();
  const pages = useOpenSections().flatMap((section) => section.pages);
  const [isOn, setOn] = useState(() => areOn(staffId));
  const wentAt = useRef(-Infinity);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (isElsewhere(event)) return;
    const typed = letterOf(event);
    const page = event.timeStamp - wentAt.current < SEQUENCE && pages.find(({ letter }) => letter === typed);
    wentAt.current = typed === "g" && !page ? event.timeStamp : -Infinity;
    const field =
      event.key === "/" && document.querySelector<HTMLElement>('main input:is([type="search"], [role="combobox"])');
    if (page) void navigate({ to: page.to, params: { shopId } });
    else if (field) field.focus();
    else if (event.key === "?") onShow(true);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    if (!isOn) return;
    const controller = new AbortController();
    addEventListener("keydown", press, { signal: controller.signal });
    return () => controller.abort();
  }, [isOn]);
  if (!isShown) return null;
  return (
    <Dialog open title={copy.shortcuts.title} onClose={() => onShow(false)}>
      <div className={styles.keys}>
        <Switch
          label={copy.shortcuts.use}
          checked={isOn}
          onChange={(checked) => {
            setOn(checked);
            remember(staffId, checked);
          }}
        />
        <p className={styles.soft}>{copy.shortcuts.hint}</p>
        <Facts
          facts={[
            fact(copy.shortcuts.search, <kbd>/</kbd>),
            fact(copy.shortcuts.show, <kbd>?</kbd>),
            ...pages.map(({ title, letter }) =>
              fact(
                title,
                <>
                  <kbd>g</kbd> <kbd>{letter}</kbd>
                </>,
              ),
            ),
          ]}
        />
      </div>
    </Dialog>
  );
}

/** The Latin letter of a key: in a layout of another script that at its place, and the same with Caps Lock. */
function letterOf({ key, code, shiftKey }: KeyboardEvent): string | undefined {
  if (shiftKey || !/^\p{L}$/u.test(key)) return undefined;
  return (/^[a-z]$/i.test(key) ? key : /^Key([A-Z])$/.exec(code)?.[1])?.toLowerCase();
}

/** True for keys with a modifier, in a field, or while a dialog or a menu is open. */
function isElsewhere({ altKey, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  if (altKey || ctrlKey || metaKey || !(target instanceof Element)) return true;
  return target.closest('input, textarea, select, [role="dialog"], [role="menu"], [role="listbox"]') !== null;
}
