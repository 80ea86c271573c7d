import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { useShop } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { List } from "../records/list.tsx";
import { ReadOnly } from "../records/read-only.tsx";
import text from "../ui/text.module.css";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { tellNumber } from "../ui/values/money.ts";
import { Page, Toolbar } from "../ui/page.tsx";
import { oneOf } from "../ui/forms/options.ts";
import { SearchField } from "../ui/forms/search-field.tsx";
import { Select } from "../ui/forms/select.tsx";
import { Empty } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import { CreateProductDialog } from "./create-product.tsx";
import { listProducts, type ProductRow } from "./product-queries.ts";
import { StatusBadge, statuses, Stock, tellPrices } from "./words.tsx";

export function ProductsPage() {
  return useShop().may("READ_PRODUCTS") ? <Products /> : <NoPermission title="Products" />;
}

function Products() {
  const { id: shopId, currency, may } = useShop();
  const filters = useSearch({ from: "/$shopId/products" });
  const navigate = useNavigate({ from: "/$shopId/products" });
  const [isCreating, setCreating] = useState(false);
  const change = useCallback(
    (changed: typeof filters) => void navigate({ search: (old) => ({ ...old, ...changed }), replace: true }),
    [navigate],
  );
  const onSearch = useCallback((search: string | undefined) => change({ search }), [change]);
  const status = oneOf(statuses, filters.status);
  const create = may("WRITE_PRODUCTS") && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <PlusIcon /> Create product
    </Button>
  );
  return (
    <Page title="Products" description="What the shop sells, newest first." action={create}>
      <ReadOnly needs="WRITE_PRODUCTS" noun="products" />
      <Toolbar>
        <SearchField label="Title, handle, SKU or barcode" value={filters.search} onChange={onSearch} />
        <Select
          label="Status"
          none="Any status"
          value={status}
          options={statuses}
          onChange={(chosen) => change({ status: chosen })}
        />
      </Toolbar>
      <List
        caption="Products"
        filters={filters}
        read={(after, options) => listProducts(shopId, { search: filters.search, status }, after, options)}
        columns={columns(shopId, currency)}
        empty={
          filters.search || status ? (
            <Empty title="No product matches">Every word of a search must match. Change the filters above.</Empty>
          ) : (
            <Empty title="No products yet" action={create}>
              What the shop sells appears here, with its variants, prices and stock.
            </Empty>
          )
        }
      />
      {isCreating && <CreateProductDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

const columns = (shopId: string, currency: string): Column<ProductRow>[] => [
  {
    title: "Product",
    cell: ({ id, title, handle }) => (
      <>
        <Link to="/$shopId/products/$productId" params={{ shopId, productId: id }} className={text.link}>
          {title}
        </Link>
        <span className={text.under}>{handle}</span>
      </>
    ),
  },
  { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  { title: "Changed", cell: ({ updatedAt }) => <Time value={updatedAt} /> },
  { title: "Variants", isNumber: true, cell: ({ variants }) => tellNumber(variants.length) },
  {
    title: "Stock",
    isNumber: true,
    cell: ({ variants }) => <Stock units={variants.reduce((sum, each) => sum + each.inventoryQuantity, 0)} />,
  },
  { title: "Price", isNumber: true, cell: ({ variants }) => tellPrices(variants, currency) },
];
