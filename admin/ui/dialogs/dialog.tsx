import { Dialog as Base } from "@base-ui/react/dialog";
import { useState, type ReactNode } from "react";
import styles from "./dialog.module.css";
import { CloseIcon } from "../icons.tsx";

interface DialogProps {
  title: string;
  description?: ReactNode;
  open: boolean;
  onClose: () => void;
  /** At the side, as high as the window. */
  isDrawer?: boolean;
  /** Only its own buttons close it: neither Escape nor a press beside it. */
  isLocked?: boolean;
  children: ReactNode;
}

/** Takes the focus while it is open and gives it back. */
export function Dialog({
  title,
  description,
  open,
  onClose,
  isDrawer = false,
  isLocked = false,
  children,
}: DialogProps) {
  // Before a field inside takes the focus. An item of a menu is gone by then: the menu's own button is found without it.
  const [opener] = useState(() => document.activeElement);
  const giveBack = () =>
    opener instanceof HTMLElement && opener !== document.body && opener.isConnected ? opener : true;
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={isLocked}
      onOpenChange={(_, details) => {
        if (!isLocked) onClose();
        else details.cancel();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup finalFocus={giveBack} className={`${styles.popup} ${isDrawer ? styles.drawer : styles.middle}`}>
          <header className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            {!isLocked && (
              <Base.Close className={styles.close} aria-label="Close">
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

/** The row of a dialog's buttons, the one that does something last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
