import { Link, useRouter, type ParsedLocation } from "@tanstack/react-router";
import { useState, type MouseEvent } from "react";
import { useShop } from "../queries.ts";
import { BackIcon } from "../ui/icons.tsx";
import text from "../ui/text.module.css";
import styles from "./records.module.css";

/** The page that was open before the current one. */
let left: ParsedLocation | undefined;

export const rememberLeft = (location: ParsedLocation) => (left = location);

interface BackLinkProps {
  to: "/$shopId/orders" | "/$shopId/products" | "/$shopId/customers" | "/$shopId/endpoints" | "/$shopId/keys";
  title: string;
}

/** A link to a record's list. It returns to the filters and the place where the list was left. */
export function BackLink({ to, title }: BackLinkProps) {
  const router = useRouter();
  const { id: shopId } = useShop();
  const [cameFrom] = useState(left);
  const isFromList = cameFrom?.pathname.endsWith(to.replace("$shopId", shopId)) ?? false;
  const goBack = (event: MouseEvent) => {
    if (!isFromList || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    router.history.back();
  };
  return (
    <Link
      to={to}
      params={{ shopId }}
      search={isFromList ? cameFrom!.search : {}}
      className={`${text.quiet} ${styles.back}`}
      onClick={goBack}
    >
      <BackIcon size={16} /> {title}
    </Link>
  );
}
