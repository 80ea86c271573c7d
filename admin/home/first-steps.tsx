import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useShop } from "../queries.ts";
import { Panel } from "../ui/panel.tsx";
import text from "../ui/text.module.css";
import { beginningsQuery } from "./home-queries.ts";
import styles from "./home.module.css";
import { copy } from "./copy.ts";

const MAX_STEPS = 3;

/** Up to three things that a shop without orders lacks, and that its plan and the viewer's role allow. */
export function FirstSteps() {
  const shop = useShop();
  const { orders, products, defaultTaxRate, apiKeyLimit, webhookEndpointLimit, members, invitations } =
    useSuspenseQuery(beginningsQuery(shop)).data;
  const isAlone = members && invitations && members.length + invitations.length === 1;
  const steps = [
    { is: products?.total === 0 && shop.can("WRITE_PRODUCTS"), to: "/$shopId/products", ...copy.firstSteps.product },
    { is: defaultTaxRate === null && shop.can("SETTINGS"), to: "/$shopId/shop", ...copy.firstSteps.tax },
    { is: isUnused(apiKeyLimit), to: "/$shopId/keys", ...copy.firstSteps.key },
    { is: isUnused(webhookEndpointLimit), to: "/$shopId/endpoints", ...copy.firstSteps.endpoint },
    { is: isAlone, to: "/$shopId/members", ...copy.firstSteps.invite },
  ] as const;
  const shown = steps.filter(({ is }) => is).slice(0, MAX_STEPS);
  if (orders?.total !== 0 || shown.length === 0) return null;
  return (
    <Panel title={copy.firstSteps.title}>
      <ul className={styles.list}>
        {shown.map(({ to, action, reason }) => (
          <li key={to}>
            <Link to={to} params={{ shopId: shop.id }}>
              {action}
            </Link>
            <span className={text.soft}>{reason}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** True when there is none, and the plan allows some. */
const isUnused = (limit: { used: number; maximum: number } | undefined) => limit?.used === 0 && limit.maximum > 0;
