import type { ReactNode } from "react";

/** A line icon in the text color, hidden from screen readers. */
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
export const ArrowIcon = icon(<path d="M12 5v14M6 13l6 6 6-6" />);
export const BackIcon = icon(<path d="M19 12H5M11 6l-6 6 6 6" />);
export const CopyIcon = icon(<path d="M9 9h11v11H9zM5 15H4V4h11v1" />);
export const MenuIcon = icon(<path d="M4 6h16M4 12h16M4 18h16" />);
export const HomeIcon = icon(<path d="M3 11l9-8 9 8M5 9.5V20h14V9.5M10 20v-6h4v6" />);
export const OrderIcon = icon(<path d="M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6" />);
export const ProductIcon = icon(<path d="M3 12V3h9l9 9-9 9zM7.5 7.5h.01" />);
export const CustomerIcon = icon(<path d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 3.5-6 8-6s8 2 8 6" />);
export const StockIcon = icon(<path d="M3 8l9-5 9 5v8l-9 5-9-5zM3 8l9 5 9-5M12 13v8" />);
export const KeyIcon = icon(<path d="M8 20a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11 13l9-9M16 8l3 3" />);
export const EndpointIcon = icon(
  <path d="M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1" />,
);
export const DeliveryIcon = icon(<path d="M21 3L3 10l7 4 4 7zM10 14L21 3" />);
export const RequestIcon = icon(<path d="M4 8h16l-4-4M20 16H4l4 4" />);
export const TokenIcon = icon(<path d="M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z" />);
export const SettingsIcon = icon(
  <path d="M4 7h9M19 7h1M4 17h1M11 17h9M16 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z" />,
);
export const LogIcon = icon(<path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2" />);
export const BookIcon = icon(<path d="M4 5c3-1 6-1 8 1 2-2 5-2 8-1v14c-3-1-6-1-8 1-2-2-5-2-8-1zM12 6v14" />);
export const WarningIcon = icon(<path d="M12 4L2.5 20h19zM12 10v4M12 17h.01" />);
