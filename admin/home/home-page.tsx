import { Suspense, type ReactNode } from "react";
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
      <Part>
        <FirstSteps />
      </Part>
      {can("READ_ORDERS") && (
        <Part>
          <OrdersPanel />
        </Part>
      )}
      <Panels>
        {can("READ_PRODUCTS") && (
          <Part>
            <LowStockPanel />
          </Part>
        )}
        {can("SETTINGS") && (
          <Part>
            <AttentionPanel />
          </Part>
        )}
      </Panels>
      {can("SETTINGS") && (
        <Panels>
          <Part>
            <RequestPanel isOverview />
          </Part>
          <Part>
            <DeliveryPanel />
          </Part>
        </Panels>
      )}
    </Page>
  );
}

/** A part that loads by itself. */
const Part = ({ children }: { children: ReactNode }) => <Suspense fallback={<Skeleton />}>{children}</Suspense>;
