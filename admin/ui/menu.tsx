import { Menu as Base } from "@base-ui/react/menu";
import type { ReactNode } from "react";
import { MoreIcon } from "./icons.tsx";
import layout from "./layout.module.css";
import styles from "./menu.module.css";

/** A menu of actions, opened by a button with three dots. */
export function Menu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Base.Root>
      <Base.Trigger className={layout.iconButton} aria-label={label}>
        <MoreIcon />
      </Base.Trigger>
      <MenuPopup align="end">{children}</MenuPopup>
    </Base.Root>
  );
}

/** The items of a menu. */
export function MenuPopup({ align, children }: { align: "start" | "end"; children: ReactNode }) {
  return (
    <Base.Portal>
      <Base.Positioner className={styles.positioner} sideOffset={4} align={align}>
        <Base.Popup className={styles.popup}>{children}</Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

export function MenuItem({
  isDanger = false,
  onClick,
  children,
}: {
  isDanger?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Base.Item className={`${styles.item} ${isDanger ? styles.danger : ""}`} onClick={onClick}>
      {children}
    </Base.Item>
  );
}
