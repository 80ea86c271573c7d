import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { useShop } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { List } from "../records/list.tsx";
import { ReadOnly } from "../records/read-only.tsx";
import { readSorting } from "../records/sorting.ts";
import { Units } from "../stock/units.tsx";
import text from "../ui/text.module.css";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { formatNumber } from "../ui/values/money.ts";
import { Page, Toolbar } from "../ui/page.tsx";
import { oneOf } from "../ui/forms/options.ts";
import { SearchField } from "../ui/forms/search-field.tsx";
import { Select } from "../ui/forms/select.tsx";
import { Empty } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import { CreateProductDialog } from "./create-product.tsx";
import { listProducts, type ProductRow } from "./product-queries.ts";
import { StatusBadge, statuses, formatPrices } from "./labels.tsx";
import { copy } from "./copy.ts";

export function ProductsPage() {
  return useShop().can("READ_PRODUCTS") ? <Products /> : <NoPermission title={copy.title} />;
}

function Products() {
  const { id: shopId, currency, can } = useShop();
  const filters = useSearch({ from: "/$shopId/products" });
  const navigate = useNavigate({ from: "/$shopId/products" });
  const [isCreating, setCreating] = useState(false);
  const change = useCallback(
    (changed: typeof filters) => void navigate({ search: (old) => ({ ...old, ...changed }), replace: true }),
    [navigate],
  );
  const onSearch = useCallback((search: string | undefined) => change({ search }), [change]);
  const status = oneOf(statuses, filters.status);
  const sorting = readSorting(filters, sorts, change);
  const create = can("WRITE_PRODUCTS") && (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <PlusIcon /> {copy.create}
    </Button>
  );
  return (
    <Page title={copy.title} action={create}>
      <ReadOnly needs="WRITE_PRODUCTS" noun={copy.readOnly} />
      <Toolbar>
        <SearchField label={copy.search} value={filters.search} onChange={onSearch} />
        <Select
          label={copy.status}
          none={copy.anyStatus}
          value={status}
          options={statuses}
          onChange={(chosen) => change({ status: chosen })}
        />
      </Toolbar>
      <List
        caption={copy.title}
        filters={filters}
        read={(after, options) =>
          listProducts(
            shopId,
            { search: filters.search, status, sort: sorting.by, order: sorting.order },
            after,
            options,
          )
        }
        columns={columns(shopId, currency)}
        sorting={sorting}
        empty={
          filters.search || status ? (
            <Empty title={copy.noMatch.title}>{copy.noMatch.text}</Empty>
          ) : (
            <Empty title={copy.empty.title} action={create}>
              {copy.empty.text}
            </Empty>
          )
        }
      />
      {isCreating && <CreateProductDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

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
  {
    title: copy.columns.variants,
    isNumber: true,
    narrow: "labeled",
    cell: ({ variants }) => formatNumber(variants.length),
  },
  {
    title: copy.columns.stock,
    isNumber: true,
    narrow: "labeled",
    cell: ({ variants }) => <Units count={variants.reduce((sum, each) => sum + each.inventoryQuantity, 0)} />,
  },
  {
    title: copy.columns.price,
    isNumber: true,
    narrow: "end",
    cell: ({ variants }) => formatPrices(variants, currency),
  },
];
