import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useShop } from "../queries.ts";
import { Stock } from "../products/labels.tsx";
import { FEW, lowStockQuery } from "../stock/low-stock-queries.ts";
import { labelStock } from "../stock/stock-queries.ts";
import { Panel } from "../ui/panel.tsx";
import text from "../ui/text.module.css";
import styles from "./home.module.css";
import { copy } from "./copy.ts";

/** The variants with the fewest units in stock. */
export function LowStockPanel() {
  const { id: shopId } = useShop();
  const { items } = useSuspenseQuery(lowStockQuery(shopId)).data;
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
      {items.length === 0 && <p className={text.soft}>{copy.lowStock.none(FEW)}</p>}
      <ul className={styles.list}>
        {items.map((variant) => (
          <li key={variant.id}>
            <Link to="/$shopId/products/$productId" params={{ shopId, productId: variant.product.id }}>
              {labelStock(variant)}
            </Link>
            <span>
              <Stock units={variant.inventoryQuantity} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
