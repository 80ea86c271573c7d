import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useShop } from "../queries.ts";
import { changeColumn, isDefault, labelItem, labelVariant } from "../records/labels.tsx";
import { List } from "../records/list.tsx";
import styles from "../records/records.module.css";
import text from "../ui/text.module.css";
import { Badge } from "../ui/values/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogBody } from "../ui/dialogs/dialog.tsx";
import { formatChange, formatNumber } from "../ui/values/money.ts";
import { Empty, Skeleton } from "../ui/states.tsx";
import { endNumber, labeledNumber, type Column } from "../ui/table.tsx";
import { StockDialog } from "./stock-dialog.tsx";
import {
  listShopStockChanges,
  listStockChanges,
  stockOfVariantQuery,
  type ShopStockChange,
  type StockChange,
} from "./stock-queries.ts";
import { Sentence } from "../ui/sentence.tsx";
import { copy } from "./copy.ts";

/** A drawer with the stock changes of a variant. */
export function StockHistory({ variantId, onClose }: { variantId: string; onClose: () => void }) {
  return (
    <Dialog open isDrawer title={copy.changes.ofVariant} onClose={onClose}>
      <Suspense fallback={<Skeleton />}>
        <History variantId={variantId} />
      </Suspense>
    </Dialog>
  );
}

/** A drawer with the stock changes of the whole shop. */
export function ShopStockHistory({ onClose }: { onClose: () => void }) {
  const { id: shopId } = useShop();
  return (
    <Dialog open isDrawer title={copy.changes.ofShop} onClose={onClose}>
      <DialogBody>
        <List
          caption={copy.changes.ofShop}
          filters={{}}
          read={(page, options) => listShopStockChanges({ ...page, limit: 50 }, options)}
          columns={[productColumn, ...columns(shopId)]}
          empty={empty}
        />
      </DialogBody>
    </Dialog>
  );
}

/** The latest stock changes of a product's variants, with the orders that sold them. */
export function ProductStockHistory({ productId }: { productId: string }) {
  const { id: shopId } = useShop();
  return (
    <List
      caption={copy.changes.ofProduct}
      filters={{ productId }}
      read={(page, options) => listShopStockChanges({ ...page, productId, limit: 10 }, options)}
      columns={[variantColumn, ...columns(shopId)]}
      empty={<p className={text.soft}>{copy.changes.empty.title}</p>}
    />
  );
}

function History({ variantId }: { variantId: string }) {
  const { id: shopId, can } = useShop();
  const { data: variant } = useSuspenseQuery(stockOfVariantQuery(shopId, variantId));
  const [isAdjusting, setAdjusting] = useState(false);
  return (
    <DialogBody>
      <div className={styles.more}>
        {variant ? (
          <span>
            <Sentence
              text={copy.changes.inStock}
              parts={{
                name: labelItem(variant.product.title, variant.title),
                units: <strong>{formatNumber(variant.inventoryQuantity)}</strong>,
              }}
            />
          </span>
        ) : (
          <span>{copy.changes.variantDeleted}</span>
        )}
        {variant && can("WRITE_PRODUCTS") && <Button onClick={() => setAdjusting(true)}>{copy.adjust}</Button>}
      </div>
      <List
        caption={copy.changes.captionOfVariant}
        filters={{ variantId }}
        read={(page, options) => listStockChanges({ ...page, variantId }, options)}
        columns={columns(shopId)}
        empty={empty}
      />
      {isAdjusting && variant && (
        <StockDialog
          variant={variant}
          name={labelItem(variant.product.title, variant.title)}
          onClose={() => setAdjusting(false)}
        />
      )}
    </DialogBody>
  );
}

const empty = <Empty title={copy.changes.empty.title}>{copy.changes.empty.text}</Empty>;

const variantColumn: Column<ShopStockChange> = {
  title: copy.changes.variant,
  cell: ({ variantTitle }) => (variantTitle === null ? copy.changes.deletedVariant : labelVariant(variantTitle)),
};

const productColumn: Column<ShopStockChange> = {
  title: copy.changes.product,
  cell: ({ productTitle, variantTitle }) => (
    <>
      {productTitle ?? copy.changes.deletedProduct}
      {productTitle && !isDefault(variantTitle) && (
        <span className={text.small}> {variantTitle ?? copy.changes.deletedVariant}</span>
      )}
    </>
  ),
};

const columns = (shopId: string): Column<StockChange>[] => [
  changeColumn(copy.changes.date),
  {
    title: copy.changes.reason,
    cell: ({ reason, note, orderId, orderNumber }) => (
      <>
        <Badge>{copy.reasons[reason]}</Badge>
        {note && <span className={text.small}> {note}</span>}{" "}
        {orderId && (
          <Link to="/$shopId/orders/$orderId" params={{ shopId, orderId }}>
            {copy.changes.order(orderNumber!)}
          </Link>
        )}
      </>
    ),
  },
  { title: copy.changes.change, ...endNumber, cell: ({ delta }) => formatChange(delta) },
  { title: copy.changes.after, ...labeledNumber, cell: ({ quantityAfter }) => formatNumber(quantityAfter) },
];
