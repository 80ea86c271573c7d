import { Link, useNavigate } from "@tanstack/react-router";
import { planNames } from "../copy.ts";
import { firstPage, useShop, useViewer } from "../queries.ts";
import { Select } from "../ui/forms/select.tsx";
import { BookIcon } from "../ui/icons.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { useOpenSections } from "./use-open-sections.ts";
import styles from "./shell.module.css";
import { copy } from "./copy.ts";

/** The menu of a shop: the pages that the viewer's role can open, and the viewer's account. */
export function Navigation({ onLeave }: { onLeave: () => void }) {
  const { id: shopId } = useShop();
  const shown = useOpenSections();
  return (
    <div className={styles.menu}>
      <ShopName onLeave={onLeave} />
      <nav aria-label={copy.pages}>
        {shown.map(({ title, pages }) => (
          <div key={pages[0]!.to} className={styles.section}>
            {title && <p className={styles.heading}>{title}</p>}
            <ul>
              {pages.map(({ to, title: name, icon: Icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    params={{ shopId }}
                    activeOptions={{ exact: to === "/$shopId" }}
                    className={styles.link}
                    onClick={onLeave}
                  >
                    <Icon /> {name}
                  </Link>
                </li>
              ))}
              {title === copy.navigation.developers && (
                <li>
                  <a href={`/docs?shop=${shopId}`} target="_blank" rel="noreferrer" className={styles.link}>
                    <BookIcon /> {copy.navigation.reference}
                  </a>
                </li>
              )}
            </ul>
          </div>
        ))}
      </nav>
      <AccountMenu onLeave={onLeave} />
    </div>
  );
}

/** The shop's name and plan. With several shops, the name is a select. */
function ShopName({ onLeave }: { onLeave: () => void }) {
  const shop = useShop();
  const { memberships } = useViewer();
  const navigate = useNavigate();
  const shops = memberships.map((membership) => [membership.shop.id, membership.shop.name] as const);
  const change = (shopId: string | undefined) => {
    const chosen = memberships.find((membership) => membership.shop.id === shopId);
    onLeave();
    if (chosen) void navigate({ to: firstPage(chosen), params: { shopId: chosen.shop.id } });
  };
  return (
    <div className={styles.shop}>
      {shops.length > 1 ? (
        <Select label={copy.shop} value={shop.id} options={shops} onChange={change} />
      ) : (
        <strong>{shop.name}</strong>
      )}
      <p className={styles.soft}>{planNames[shop.plan]}</p>
    </div>
  );
}
