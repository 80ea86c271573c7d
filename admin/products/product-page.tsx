import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { StockDialog } from "../stock/stock-dialog.tsx";
import { ProductStockHistory } from "../stock/stock-history.tsx";
import { Units } from "../stock/units.tsx";
import { BackLink } from "../records/back-link.tsx";
import { labelItem, labelVariant, ReadOnly } from "../records/labels.tsx";
import { Metadata, MetadataDialog } from "../records/metadata.tsx";
import { RecordLayout } from "../records/record-layout.tsx";
import layout from "../ui/layout.module.css";
import text from "../ui/text.module.css";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { formatMoney } from "../ui/values/money.ts";
import { fact, Page, Section } from "../ui/page.tsx";
import { Table, type Column } from "../ui/table.tsx";
import { Copyable } from "../ui/values/copy-button.tsx";
import { Time } from "../ui/values/time.tsx";
import { DeleteProductDialog, DeleteVariantDialog, VariantDialog } from "./product-dialogs.tsx";
import { EditProductDialog } from "./product-form.tsx";
import { productQuery, UpdateProduct, UpdateVariant, type Product, type Variant } from "./product-queries.ts";
import { StatusBadge } from "./labels.tsx";
import { copy } from "./copy.ts";

type Change =
  | { kind: "edit" | "delete" | "add" }
  | { kind: "editVariant" | "editMetadata" | "deleteVariant" | "adjust"; variant: Variant };

export function ProductPage() {
  const { id: shopId, currency, can } = useShop();
  const { productId } = useParams({ from: "/$shopId/products/$productId" });
  const { data: product } = useSuspenseQuery(productQuery(shopId, productId));
  const [change, setChange] = useState<Change>();
  const canWrite = can("WRITE_PRODUCTS");
  const actions = canWrite && (
    <div className={layout.actions}>
      <Button variant="primary" onClick={() => setChange({ kind: "edit" })}>
        {copy.edit}
      </Button>
      <Button variant="danger" onClick={() => setChange({ kind: "delete" })}>
        {copy.delete}
      </Button>
    </div>
  );
  // Without options, a product has one variant only.
  const add = canWrite && product.optionNames.length > 0 && (
    <Button onClick={() => setChange({ kind: "add" })}>
      <PlusIcon /> {copy.addVariant}
    </Button>
  );
  return (
    <Page
      title={product.title}
      description={<StatusBadge status={product.status} />}
      back={<BackLink to="/$shopId/products" title={copy.title} />}
      action={actions}
    >
      <ReadOnly needs="WRITE_PRODUCTS" noun={copy.readOnly} />
      <RecordLayout
        details={copy.details}
        facts={listFacts(product)}
        note={{ title: copy.description, text: product.description, none: copy.noDescription }}
        hint={<Metadata record={product} document={UpdateProduct} canWrite={canWrite} />}
      >
        <Section title={copy.variants} action={add}>
          <Table
            caption={copy.variants}
            columns={columns(shopId, currency, product, canWrite ? setChange : undefined)}
            rows={product.variants}
            keyOf={({ id }) => id}
          />
        </Section>
        <Section title={copy.stockHistory}>
          <ProductStockHistory productId={product.id} />
        </Section>
      </RecordLayout>
      {change && <Dialogs product={product} change={change} onClose={() => setChange(undefined)} />}
    </Page>
  );
}

function listFacts(product: Product) {
  const isTracked = product.variants.some(({ isStockTracked }) => isStockTracked);
  const total = product.variants.reduce((sum, { inventoryQuantity }) => sum + inventoryQuantity, 0);
  return [
    fact(copy.totalStock, isTracked ? <Units count={total} /> : copy.untracked),
    fact(copy.handle, product.handle),
    ...(product.optionNames.length > 0 ? [fact(copy.options, product.optionNames.join(", "))] : []),
    fact(copy.created, <Time value={product.createdAt} />),
    fact(copy.updated, <Time value={product.updatedAt} />),
    fact(copy.id, <Copyable text={product.id} label={copy.copyId} />),
  ];
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
    case "editMetadata":
      return (
        <MetadataDialog
          record={{ ...change.variant, version: product.version }}
          document={UpdateVariant}
          onClose={onClose}
        />
      );
    case "deleteVariant":
      return <DeleteVariantDialog {...common} variant={change.variant} />;
    case "adjust":
      return (
        <StockDialog variant={change.variant} name={labelItem(product.title, change.variant.title)} onClose={onClose} />
      );
  }
}

function columns(
  shopId: string,
  currency: string,
  product: Product,
  onChange: ((change: Change) => void) | undefined,
): Column<Variant>[] {
  return [
    {
      title: copy.columns.variant,
      cell: (variant) => (
        <>
          <span className={text.name}>{labelVariant(variant.title)}</span>
          {variant.sku && <span className={text.under}>{variant.sku}</span>}
          {variant.barcode && <span className={text.under}>{variant.barcode}</span>}
          {variant.metadata.map(({ key, value }) => (
            <span key={key} className={text.under}>
              {key}:{" "}
              <span className={text.clipped} title={value}>
                {value}
              </span>
            </span>
          ))}
        </>
      ),
    },
    { title: copy.columns.price, isNumber: true, cell: ({ price }) => formatMoney(price, currency) },
    {
      title: copy.columns.stock,
      isNumber: true,
      cell: ({ id, inventoryQuantity, isStockTracked }) => (
        <>
          {isStockTracked ? <Units count={inventoryQuantity} /> : copy.untracked}
          <Link to="/$shopId/stock" params={{ shopId }} search={{ variant: id }} className={text.under}>
            {copy.history}
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
    <Menu label={copy.actionsFor(labelVariant(variant.title))}>
      {variant.isStockTracked && (
        <MenuItem onClick={() => onChange({ kind: "adjust", variant })}>{copy.adjustStock}</MenuItem>
      )}
      <MenuItem onClick={() => onChange({ kind: "editVariant", variant })}>{copy.editVariant}</MenuItem>
      <MenuItem onClick={() => onChange({ kind: "editMetadata", variant })}>{copy.metadata}</MenuItem>
      {product.variants.length > 1 && (
        <MenuItem isDanger onClick={() => onChange({ kind: "deleteVariant", variant })}>
          {copy.deleteVariant}
        </MenuItem>
      )}
    </Menu>
  );
}
