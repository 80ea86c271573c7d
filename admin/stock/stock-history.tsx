import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useShop } from "../queries.ts";
import { By } from "../records/by.tsx";
import { List } from "../records/list.tsx";
import styles from "../records/records.module.css";
import text from "../ui/text.module.css";
import { Badge } from "../ui/values/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { tellChange, tellNumber } from "../ui/values/money.ts";
import { Empty, Skeleton } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import { StockDialog } from "./stock-dialog.tsx";
import {
  listShopStockChanges,
  listStockChanges,
  nameStock,
  stockOfVariantQuery,
  type ShopStockChange,
  type StockChange,
} from "./stock-queries.ts";

const reasonNames: Record<StockChange["reason"], string> = {
  CANCELLED: "Order cancelled",
  CORRECTED: "Corrected",
  COUNTED: "Counted",
  DAMAGED: "Damaged",
  INITIAL: "Created with it",
  LOST: "Lost",
  RECEIVED: "Received",
  RETURNED: "Returned",
  SOLD: "Sold",
};

/** The changes of one variant's stock, in a drawer beside the list. */
export function StockHistory({ variantId, onClose }: { variantId: string; onClose: () => void }) {
  return (
    <Dialog open isDrawer title="History of stock" onClose={onClose}>
      <Suspense fallback={<Skeleton />}>
        <History variantId={variantId} />
      </Suspense>
    </Dialog>
  );
}

/** The changes of the whole shop's stock. */
export function ShopStockHistory({ onClose }: { onClose: () => void }) {
  const { id: shopId } = useShop();
  return (
    <Dialog open isDrawer title="Changes of stock" onClose={onClose}>
      <div className={`${styles.column} ${styles.inDrawer}`}>
        <List
          caption="Changes of all stock"
          filters={{}}
          read={(after, options) => listShopStockChanges(shopId, after, options)}
          columns={[productColumn, ...columns(shopId)]}
          empty={empty}
        />
      </div>
    </Dialog>
  );
}

function History({ variantId }: { variantId: string }) {
  const { id: shopId, may } = useShop();
  const { data: variant } = useSuspenseQuery(stockOfVariantQuery(shopId, variantId));
  const [isAdjusting, setAdjusting] = useState(false);
  return (
    <div className={`${styles.column} ${styles.inDrawer}`}>
      <div className={styles.more}>
        {variant ? (
          <span>
            {nameStock(variant)}: <strong>{tellNumber(variant.inventoryQuantity)}</strong> in stock
          </span>
        ) : (
          <span>The variant is deleted. Its history stays.</span>
        )}
        {variant && may("WRITE_PRODUCTS") && <Button onClick={() => setAdjusting(true)}>Adjust</Button>}
      </div>
      <List
        caption="Changes of stock"
        filters={{ variantId }}
        read={(after, options) => listStockChanges(shopId, variantId, after, options)}
        columns={columns(shopId)}
        empty={empty}
      />
      {isAdjusting && variant && (
        <StockDialog variant={variant} name={nameStock(variant)} onClose={() => setAdjusting(false)} />
      )}
    </div>
  );
}

const empty = <Empty title="Nothing has come or gone yet">What changes stock appears here, and why.</Empty>;

const productColumn: Column<ShopStockChange> = {
  title: "Product",
  cell: ({ productTitle, variantTitle }) => (
    <>
      {productTitle ?? "A deleted product"}
      {productTitle && variantTitle !== "Default Title" && (
        <span className={text.under}>{variantTitle ?? "A deleted variant"}</span>
      )}
    </>
  ),
};

const columns = (shopId: string): Column<StockChange>[] => [
  {
    title: "When",
    cell: ({ createdAt, actorName }) => (
      <>
        <Time value={createdAt} />
        <By name={actorName} />
      </>
    ),
  },
  {
    title: "Why",
    cell: ({ reason, note, orderId }) => (
      <>
        <Badge>{reasonNames[reason]}</Badge>
        {note && <span className={text.under}>{note}</span>}
        {orderId && (
          <Link to="/$shopId/orders/$orderId" params={{ shopId, orderId }} className={text.under}>
            Its order
          </Link>
        )}
      </>
    ),
  },
  { title: "Change", isNumber: true, cell: ({ delta }) => tellChange(delta) },
  { title: "After", isNumber: true, cell: ({ quantityAfter }) => tellNumber(quantityAfter) },
];
