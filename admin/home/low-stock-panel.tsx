import { useSuspenseQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useShop } from "../queries.ts";
import { labelItem } from "../records/labels.tsx";
import { FEW, lowStockQuery } from "../stock/stock-queries.ts";
import { Units } from "../stock/units.tsx";
import { Panel } from "../ui/panel.tsx";
import text from "../ui/text.module.css";
import { beginningsQuery } from "./home-queries.ts";
import styles from "./home.module.css";
import { copy } from "./copy.ts";

/** The variants with the fewest units in stock. */
export function LowStockPanel() {
  const shop = useShop();
  const { id: shopId } = shop;
  const [{ data: low }, { data: all }] = useSuspenseQueries({
    queries: [lowStockQuery(shopId), beginningsQuery(shop)],
  });
  const { items } = low;
  return (
    <Panel
      title={copy.lowStock.title}
      action={
        items.length > 0 && (
          <Link to="/$shopId/stock" params={{ shopId }} search={{ low: "true" }}>
            {copy.viewAll}
          </Link>
        )
      }
    >
      {items.length === 0 && (
        <p className={text.soft}>{all.products?.total === 0 ? copy.lowStock.noProducts : copy.lowStock.none(FEW)}</p>
      )}
      <ul className={styles.list}>
        {items.map((variant) => (
          <li key={variant.id}>
            <Link to="/$shopId/products/$productId" params={{ shopId, productId: variant.product.id }}>
              {labelItem(variant.product.title, variant.title)}
            </Link>
            <span>
              <Units count={variant.inventoryQuantity} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
