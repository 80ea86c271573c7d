import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { ExportLink, ImportLink } from "../records/file-links.tsx";
import { List, NoRows, readSorting, useFilters } from "../records/list.tsx";
import { ReadOnly } from "../records/labels.tsx";
import { Units } from "../stock/units.tsx";
import layout from "../ui/layout.module.css";
import text from "../ui/text.module.css";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { formatNumber } from "../ui/values/money.ts";
import { Page, Toolbar } from "../ui/page.tsx";
import { FilterSelects, oneOf } from "../ui/forms/select.tsx";
import { SearchField } from "../ui/forms/search-field.tsx";
import { endNumber, labeledNumber, type Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import { CreateProductDialog } from "./product-form.tsx";
import { listProducts, type ProductRow } from "./product-queries.ts";
import { formatPrices, StatusBadge, statuses } from "./labels.tsx";
import { copy } from "./copy.ts";

export function ProductsPage() {
  const { id: shopId, currency, can } = useShop();
  const [filters, change] = useFilters();
  const { search } = filters;
  const [isCreating, setCreating] = useState(false);
  const status = oneOf(statuses, filters.status);
  const sorting = readSorting(filters, sorts, change);
  const create = can("WRITE_PRODUCTS") && (
    <>
      <ImportLink to="/$shopId/products/import" />
      <Button variant="primary" onClick={() => setCreating(true)}>
        <PlusIcon /> {copy.create}
      </Button>
    </>
  );
  const actions = (
    <div className={layout.actions}>
      <ExportLink list="products" filter={{ search, status }} />
      {create}
    </div>
  );
  return (
    <Page title={copy.title} action={actions}>
      <ReadOnly needs="WRITE_PRODUCTS" noun={copy.readOnly} />
      <Toolbar>
        <SearchField label={copy.search} value={search} onChange={(searched) => change({ search: searched })} />
        <FilterSelects selects={selects} chosen={filters} onChange={change} />
      </Toolbar>
      <List
        caption={copy.title}
        filters={filters}
        read={(page, options) =>
          listProducts({ ...page, search, status, sort: sorting.by, order: sorting.order }, options)
        }
        columns={columns(shopId, currency)}
        sorting={sorting}
        empty={
          <NoRows
            isFiltered={Boolean(search || status)}
            copy={copy}
            action={create && <div className={layout.actions}>{create}</div>}
          />
        }
      />
      {isCreating && <CreateProductDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

const selects = [{ name: "status", label: copy.status, none: copy.anyStatus, options: statuses }] as const;

/** The first is the default. */
const sorts = ["CREATED_AT", "UPDATED_AT", "TITLE"] as const;

const columns = (shopId: string, currency: string): Column<ProductRow>[] => [
  {
    title: copy.columns.product,
    sort: "TITLE",
    cell: ({ id, title }) => (
      <Link to="/$shopId/products/$productId" params={{ shopId, productId: id }} className={text.link}>
        {title}
      </Link>
    ),
  },
  { title: copy.columns.status, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: copy.columns.updated,
    sort: "UPDATED_AT",
    narrow: "hidden",
    cell: ({ updatedAt }) => <Time value={updatedAt} />,
  },
  { title: copy.columns.variants, ...labeledNumber, cell: ({ variants }) => formatNumber(variants.length) },
  {
    title: copy.columns.stock,
    ...labeledNumber,
    cell: ({ variants }) =>
      variants.some(({ isStockTracked }) => isStockTracked) && (
        <Units count={variants.reduce((sum, each) => sum + each.inventoryQuantity, 0)} />
      ),
  },
  { title: copy.columns.price, ...endNumber, cell: ({ variants }) => formatPrices(variants, currency) },
];
