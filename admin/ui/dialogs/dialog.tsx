import { Dialog as Base } from "@base-ui/react/dialog";
import { useRef, useState, type ReactNode } from "react";
import layout from "../layout.module.css";
import styles from "./dialog.module.css";
import { CloseIcon } from "../icons.tsx";
import { copy } from "../copy.ts";

interface DialogProps {
  title: string;
  description?: ReactNode;
  open: boolean;
  onClose: () => void;
  /** Opens at the side, at full height. */
  isDrawer?: boolean;
  /** Neither Escape nor a click outside closes it, so that nobody loses what they typed. */
  isFilled?: boolean;
  /** Only its own buttons close it. */
  isLocked?: boolean;
  children: ReactNode;
}

const FIELD = 'input, textarea, [role="combobox"], [role="checkbox"], [role="switch"]';
/** The first field that a Tab reaches, or else the button that changes nothing. */
const FIRST = `:is(${FIELD}, .${styles.actions} button):not([aria-hidden], :disabled, [data-disabled], [tabindex="-1"])`;

/** A modal dialog. It returns the focus to the element that opened it. */
export function Dialog({
  title,
  description,
  open,
  onClose,
  isDrawer = false,
  isFilled = false,
  isLocked = false,
  children,
}: DialogProps) {
  // Read before a field inside takes the focus. When a menu item opened it, Base UI finds the menu's button.
  const [opener] = useState(() => document.activeElement);
  const returnFocus = () =>
    opener instanceof HTMLElement && opener !== document.body && opener.isConnected ? opener : true;
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={isFilled || isLocked}
      onOpenChange={(_, details) => {
        if (isLocked || (isFilled && details.reason !== "close-press")) details.cancel();
        else onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          ref={popup}
          initialFocus={() => popup.current!.querySelector<HTMLElement>(FIRST) ?? popup.current}
          finalFocus={returnFocus}
          className={`${styles.popup} ${isDrawer ? styles.drawer : styles.middle}`}
        >
          <header className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            {!isLocked && (
              <Base.Close className={layout.iconButton} aria-label={copy.close}>
                <CloseIcon />
              </Base.Close>
            )}
          </header>
          {description && <Base.Description className={styles.description}>{description}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** What a dialog without a form shows. */
export const DialogBody = ({ children }: { children: ReactNode }) => (
  <div className={`${layout.stack} ${styles.body}`}>{children}</div>
);

/** The row of a dialog's buttons, with the primary one last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
