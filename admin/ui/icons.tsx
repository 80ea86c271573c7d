import type { ReactNode } from "react";

/** A line icon in the text colour, hidden from screen readers. */
function icon(path: ReactNode) {
  return ({ size = 18 }: { size?: number }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {path}
    </svg>
  );
}

export const CloseIcon = icon(<path d="M6 6l12 12M18 6L6 18" />);
export const PlusIcon = icon(<path d="M12 5v14M5 12h14" />);
export const MoreIcon = icon(<path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3" />);
export const CheckIcon = icon(<path d="M5 12.5l4.5 4.5L19 7.5" />);
export const ChevronIcon = icon(<path d="M7 10l5 5 5-5" />);
export const CopyIcon = icon(<path d="M9 9h11v11H9zM5 15H4V4h11v1" />);
export const MenuIcon = icon(<path d="M4 6h16M4 12h16M4 18h16" />);
export const WarningIcon = icon(<path d="M12 4L2.5 20h19zM12 10v4M12 17h.01" />);
