import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { List, NoRows, useFilters } from "../records/list.tsx";
import { isDefault, labelItem, ReadOnly } from "../records/labels.tsx";
import layout from "../ui/layout.module.css";
import text from "../ui/text.module.css";
import { Button } from "../ui/button.tsx";
import { formatNumber } from "../ui/values/money.ts";
import { Page, Toolbar } from "../ui/page.tsx";
import { oneOf, Select } from "../ui/forms/select.tsx";
import { SearchField } from "../ui/forms/search-field.tsx";
import { Empty } from "../ui/states.tsx";
import { endNumber, type Column } from "../ui/table.tsx";
import { FEW, listLowStock, listStock, type StockRow } from "./stock-queries.ts";
import { StockDialog } from "./stock-dialog.tsx";
import { ShopStockHistory, StockHistory } from "./stock-history.tsx";
import { Units } from "./units.tsx";
import { copy } from "./copy.ts";

export function StockPage() {
  const { id: shopId, can } = useShop();
  const [{ search, low, variant, changes }, change] = useFilters();
  const [adjusted, setAdjusted] = useState<StockRow>();
  return (
    <Page title={copy.title}>
      <ReadOnly needs="WRITE_PRODUCTS" noun={copy.readOnly} />
      <Toolbar>
        {!low && (
          <SearchField label={copy.search} value={search} onChange={(searched) => change({ search: searched })} />
        )}
        <Select
          label={copy.level}
          none={copy.anyLevel}
          value={oneOf(levels, low)}
          options={levels}
          onChange={(chosen) => change({ low: chosen, search: undefined })}
        />
        <Link to="/$shopId/stock" params={{ shopId }} search={(old) => ({ ...old, changes: "all" })}>
          {copy.allChanges}
        </Link>
      </Toolbar>
      <List
        caption={copy.title}
        filters={{ search, low }}
        read={(page, options) => (low ? listLowStock(page, options) : listStock({ ...page, search }, options))}
        columns={columns(shopId, can("WRITE_PRODUCTS") ? setAdjusted : undefined)}
        count={countVariants}
        empty={
          low ? (
            <Empty title={copy.noneLow.title}>{copy.noneLow.text(FEW)}</Empty>
          ) : (
            <NoRows isFiltered={Boolean(search)} copy={copy} />
          )
        }
      />
      {adjusted && (
        <StockDialog
          variant={adjusted}
          name={labelItem(adjusted.product.title, adjusted.title)}
          onClose={() => setAdjusted(undefined)}
        />
      )}
      {variant && <StockHistory variantId={variant} onClose={() => change({ variant: undefined })} />}
      {changes && <ShopStockHistory onClose={() => change({ changes: undefined })} />}
    </Page>
  );
}

const levels = [["true", copy.lowLevel(FEW)]] as const;

function countVariants(rows: readonly StockRow[], total: number): string {
  const products = new Set(rows.map(({ product }) => product.id)).size;
  return copy.count(formatNumber(products), formatNumber(total), formatNumber(rows.length));
}

const columns = (shopId: string, onAdjust: ((row: StockRow) => void) | undefined): Column<StockRow>[] => [
  {
    title: copy.columns.product,
    cell: ({ product, title }) => (
      <>
        <Link to="/$shopId/products/$productId" params={{ shopId, productId: product.id }} className={text.link}>
          {product.title}
        </Link>{" "}
        {!isDefault(title) && <span className={text.small}>{title}</span>}
      </>
    ),
  },
  { title: copy.columns.sku, cell: ({ sku }) => (sku ? <code>{sku}</code> : "–") },
  { title: copy.columns.inStock, ...endNumber, cell: ({ inventoryQuantity }) => <Units count={inventoryQuantity} /> },
  {
    title: "",
    cell: (row) => (
      <div className={layout.actions}>
        <Link
          to="/$shopId/stock"
          params={{ shopId }}
          search={(old) => ({ ...old, variant: row.id })}
          aria-label={copy.historyOf(labelItem(row.product.title, row.title))}
        >
          {copy.history}
        </Link>
        {onAdjust && (
          <Button aria-label={copy.adjustOf(labelItem(row.product.title, row.title))} onClick={() => onAdjust(row)}>
            {copy.adjust}
          </Button>
        )}
      </div>
    ),
  },
];
