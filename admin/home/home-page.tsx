import { Suspense } from "react";
import { useShop } from "../queries.ts";
import { RequestPanel } from "../requests/request-panel.tsx";
import { NoPermission } from "../shell/no-permission.tsx";
import { Page } from "../ui/page.tsx";
import { Panels } from "../ui/panel.tsx";
import { Skeleton } from "../ui/states.tsx";
import { AttentionPanel } from "./attention-panel.tsx";
import { DeliveryPanel } from "./delivery-panel.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { LowStockPanel } from "./low-stock-panel.tsx";
import { OrdersPanel } from "./orders-panel.tsx";
import { copy } from "./copy.ts";

/** The overview: the shop's orders and stock, and the health of its integrations. */
export function HomePage() {
  const { can } = useShop();
  if (!can("READ_ORDERS") && !can("READ_PRODUCTS") && !can("SETTINGS")) return <NoPermission title={copy.title} />;
  return (
    <Page title={copy.title}>
      {/* All at once: panels that appear one by one move each other. */}
      <Suspense fallback={<Skeleton />}>
        <FirstSteps />
        {can("READ_ORDERS") && <OrdersPanel />}
        <Panels>
          {can("READ_PRODUCTS") && <LowStockPanel />}
          {can("SETTINGS") && <AttentionPanel />}
        </Panels>
        {can("SETTINGS") && (
          <Panels>
            <RequestPanel isOverview />
            <DeliveryPanel />
          </Panels>
        )}
      </Suspense>
    </Page>
  );
}
