import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { StockDialog } from "../stock/stock-dialog.tsx";
import { ReadOnly } from "../records/read-only.tsx";
import styles from "../records/records.module.css";
import text from "../ui/text.module.css";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { tellMoney } from "../ui/values/money.ts";
import { fact, Facts, Page, Section } from "../ui/page.tsx";
import { Table, type Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import { DeleteProductDialog, DeleteVariantDialog, EditProductDialog, VariantDialog } from "./product-dialogs.tsx";
import { productQuery, type Product, type Variant } from "./product-queries.ts";
import { nameVariant, StatusBadge, Stock } from "./words.tsx";

type Change =
  | { kind: "edit" | "delete" | "add" }
  | { kind: "editVariant" | "deleteVariant" | "adjust"; variant: Variant };

export function ProductPage() {
  return useShop().may("READ_PRODUCTS") ? <ProductDetails /> : <NoPermission title="Product" />;
}

function ProductDetails() {
  const { id: shopId, currency, may } = useShop();
  const { productId } = useParams({ from: "/$shopId/products/$productId" });
  const { data: product } = useSuspenseQuery(productQuery(shopId, productId));
  const [change, setChange] = useState<Change>();
  const mayWrite = may("WRITE_PRODUCTS");
  const actions = mayWrite && (
    <div className={styles.actions}>
      <Button look="primary" onClick={() => setChange({ kind: "edit" })}>
        Edit
      </Button>
      <Button look="danger" onClick={() => setChange({ kind: "delete" })}>
        Delete
      </Button>
    </div>
  );
  // Without options there is nothing that a second variant could differ in.
  const add = mayWrite && product.optionNames.length > 0 && (
    <Button onClick={() => setChange({ kind: "add" })}>
      <PlusIcon /> Add variant
    </Button>
  );
  return (
    <Page title={product.title} description={<StatusBadge status={product.status} />} action={actions}>
      <ReadOnly needs="WRITE_PRODUCTS" noun="products" />
      <div className={styles.split}>
        <Section title="Variants" action={add}>
          <Table
            caption="Variants"
            columns={columns(shopId, currency, product, mayWrite ? setChange : undefined)}
            rows={product.variants}
            keyOf={({ id }) => id}
          />
        </Section>
        <Aside product={product} />
      </div>
      {change && <Dialogs product={product} change={change} onClose={() => setChange(undefined)} />}
    </Page>
  );
}

function Aside({ product }: { product: Product }) {
  const facts = [
    fact("Handle", product.handle),
    ...(product.optionNames.length > 0 ? [fact("Options", product.optionNames.join(", "))] : []),
    fact("Created", <Time value={product.createdAt} />),
    fact("Changed", <Time value={product.updatedAt} />),
  ];
  return (
    <div className={styles.column}>
      <section className={styles.card}>
        <h2>About the product</h2>
        <Facts facts={facts} />
      </section>
      <section className={styles.card}>
        <h2>Description</h2>
        <p className={product.description ? styles.text : text.soft}>{product.description ?? "There is none yet."}</p>
      </section>
    </div>
  );
}

function Dialogs({ product, change, onClose }: { product: Product; change: Change; onClose: () => void }) {
  const common = { product, onClose };
  switch (change.kind) {
    case "edit":
      return <EditProductDialog {...common} />;
    case "delete":
      return <DeleteProductDialog {...common} />;
    case "add":
      return <VariantDialog {...common} />;
    case "editVariant":
      return <VariantDialog {...common} variant={change.variant} />;
    case "deleteVariant":
      return <DeleteVariantDialog {...common} variant={change.variant} />;
    case "adjust":
      return <StockDialog variant={change.variant} name={nameOf(product, change.variant)} onClose={onClose} />;
  }
}

const nameOf = (product: Product, { title }: Variant) =>
  product.optionNames.length > 0 ? `${product.title} · ${title}` : product.title;

function columns(
  shopId: string,
  currency: string,
  product: Product,
  onChange: ((change: Change) => void) | undefined,
): Column<Variant>[] {
  return [
    {
      title: "Variant",
      cell: (variant) => (
        <>
          <span className={text.name}>{nameVariant(variant)}</span>
          {variant.sku && <span className={text.under}>{variant.sku}</span>}
          {variant.barcode && <span className={text.under}>{variant.barcode}</span>}
        </>
      ),
    },
    { title: "Price", isNumber: true, cell: ({ price }) => tellMoney(price, currency) },
    {
      title: "Stock",
      isNumber: true,
      cell: ({ id, inventoryQuantity }) => (
        <>
          <Stock units={inventoryQuantity} />
          <Link to="/$shopId/stock" params={{ shopId }} search={{ variant: id }} className={text.under}>
            History
          </Link>
        </>
      ),
    },
    ...(onChange
      ? [{ title: "", cell: (variant: Variant) => <Actions product={product} variant={variant} onChange={onChange} /> }]
      : []),
  ];
}

function Actions({
  product,
  variant,
  onChange,
}: {
  product: Product;
  variant: Variant;
  onChange: (change: Change) => void;
}) {
  return (
    <Menu label={`Actions on ${nameVariant(variant)}`}>
      <MenuItem onClick={() => onChange({ kind: "adjust", variant })}>Adjust stock</MenuItem>
      <MenuItem onClick={() => onChange({ kind: "editVariant", variant })}>Edit variant</MenuItem>
      {product.variants.length > 1 && (
        <MenuItem isDanger onClick={() => onChange({ kind: "deleteVariant", variant })}>
          Delete variant
        </MenuItem>
      )}
    </Menu>
  );
}
