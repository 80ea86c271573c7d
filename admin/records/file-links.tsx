import { Link } from "@tanstack/react-router";
import { useShop } from "../queries.ts";
import { buttonClass } from "../ui/button.tsx";
import { copy } from "./copy.ts";

interface ExportLinkProps {
  list: "products" | "customers" | "orders";
  /** The arguments of the list in GraphQL. */
  filter: Record<string, string | boolean | undefined>;
}

/** A link that downloads the filtered list as CSV. */
export function ExportLink({ list, filter }: ExportLinkProps) {
  const { id: shopId } = useShop();
  const given = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return (
    <a href={`/exports/${shopId}/${list}.csv?${new URLSearchParams(given)}`} className={buttonClass("plain")} download>
      {copy.export}
    </a>
  );
}

/** A link to the import of a list. */
export function ImportLink({ to }: { to: "/$shopId/products/import" | "/$shopId/customers/import" }) {
  const { id: shopId } = useShop();
  return (
    <Link to={to} params={{ shopId }} className={buttonClass("plain")}>
      {copy.import}
    </Link>
  );
}
