import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { Stock } from "../products/words.tsx";
import { useShop } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { List } from "../records/list.tsx";
import { ReadOnly } from "../records/read-only.tsx";
import styles from "../records/records.module.css";
import text from "../ui/text.module.css";
import { Button } from "../ui/button.tsx";
import { tellNumber } from "../ui/values/money.ts";
import { Page, Toolbar } from "../ui/page.tsx";
import { SearchField } from "../ui/forms/search-field.tsx";
import { Empty } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { StockDialog } from "./stock-dialog.tsx";
import { ShopStockHistory, StockHistory } from "./stock-history.tsx";
import { listStock, nameStock, type StockRow } from "./stock-queries.ts";

export function StockPage() {
  return useShop().may("READ_PRODUCTS") ? <StockList /> : <NoPermission title="Stock" />;
}

function StockList() {
  const { id: shopId, may } = useShop();
  const filters = useSearch({ from: "/$shopId/stock" });
  const navigate = useNavigate({ from: "/$shopId/stock" });
  const [adjusted, setAdjusted] = useState<StockRow>();
  const change = useCallback(
    (changed: typeof filters) => void navigate({ search: (old) => ({ ...old, ...changed }), replace: true }),
    [navigate],
  );
  const onSearch = useCallback((search: string | undefined) => change({ search }), [change]);
  const { search, variant, changes } = filters;
  return (
    <Page title="Stock" description="Units of each variant, by the titles of the products.">
      <ReadOnly needs="WRITE_PRODUCTS" noun="stock" />
      <Toolbar>
        <SearchField label="Title, handle, SKU or barcode" value={search} onChange={onSearch} />
        <Link to="/$shopId/stock" params={{ shopId }} search={(old) => ({ ...old, changes: "all" })}>
          All changes
        </Link>
      </Toolbar>
      <List
        caption="Stock"
        filters={{ search }}
        read={(after, options) => listStock(shopId, search, after, options)}
        columns={columns(shopId, may("WRITE_PRODUCTS") ? setAdjusted : undefined)}
        count={countVariants}
        empty={
          search ? (
            <Empty title="Nothing matches">Every word of a search must match. Change the search above.</Empty>
          ) : (
            <Empty title="No products yet">Stock is counted for the variants of products: create one first.</Empty>
          )
        }
      />
      {adjusted && <StockDialog variant={adjusted} name={nameStock(adjusted)} onClose={() => setAdjusted(undefined)} />}
      {variant && <StockHistory variantId={variant} onClose={() => change({ variant: undefined })} />}
      {changes && <ShopStockHistory onClose={() => change({ changes: undefined })} />}
    </Page>
  );
}

function countVariants(rows: readonly StockRow[], total: number): string {
  const products = new Set(rows.map(({ product }) => product.id)).size;
  return `Products: ${tellNumber(products)} of ${tellNumber(total)}, variants: ${tellNumber(rows.length)}`;
}

const columns = (shopId: string, onAdjust: ((row: StockRow) => void) | undefined): Column<StockRow>[] => [
  {
    title: "Product",
    cell: ({ product, title }) => (
      <>
        <Link to="/$shopId/products/$productId" params={{ shopId, productId: product.id }} className={text.link}>
          {product.title}
        </Link>
        {title !== "Default Title" && <span className={text.under}>{title}</span>}
      </>
    ),
  },
  { title: "SKU", cell: ({ sku }) => (sku ? <code>{sku}</code> : "–") },
  { title: "In stock", isNumber: true, cell: ({ inventoryQuantity }) => <Stock units={inventoryQuantity} /> },
  {
    title: "",
    cell: (row) => (
      <div className={styles.actions}>
        <Link
          to="/$shopId/stock"
          params={{ shopId }}
          search={(old) => ({ ...old, variant: row.id })}
          aria-label={`History of ${nameStock(row)}`}
        >
          History
        </Link>
        {onAdjust && (
          <Button aria-label={`Adjust ${nameStock(row)}`} onClick={() => onAdjust(row)}>
            Adjust
          </Button>
        )}
      </div>
    ),
  },
];
