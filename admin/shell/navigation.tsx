import { Link, useNavigate } from "@tanstack/react-router";
import { planNames, roleNames } from "../copy.ts";
import { firstPage, useShop, useViewer } from "../queries.ts";
import { Select } from "../ui/forms/select.tsx";
import { BookIcon, ChevronIcon } from "../ui/icons.tsx";
import { useOpenSections } from "./sections.ts";
import text from "../ui/text.module.css";
import styles from "./shell.module.css";
import { Menu } from "@base-ui/react/menu";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { graphql, request } from "../request.ts";
import { MenuItem, MenuPopup } from "../ui/menu.tsx";
import { copy } from "./copy.ts";

interface NavigationProps {
  onLeave: () => void;
  onShowShortcuts: () => void;
}

/** The menu of a shop: the pages that the viewer's role can open, and the viewer's account. */
export function Navigation({ onLeave, onShowShortcuts }: NavigationProps) {
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
      <AccountMenu onLeave={onLeave} onShowShortcuts={onShowShortcuts} />
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

const LogOut = graphql(`
  mutation LogOut {
    logOut
  }
`);

/** The viewer's email address and role. It opens the account settings and the shortcuts, and logs out. */
export function AccountMenu({ onLeave, onShowShortcuts }: NavigationProps) {
  const { id: shopId, role } = useShop();
  const { name } = useViewer();
  const navigate = useNavigate();
  const client = useQueryClient();
  const logOut = useMutation({
    mutationFn: () => request(LogOut, {}),
    onSuccess: async () => {
      await navigate({ to: "/login", search: {} });
      client.clear();
    },
  });
  const openAccount = () => {
    onLeave();
    void navigate({ to: "/$shopId/account", params: { shopId } });
  };
  return (
    <Menu.Root>
      <Menu.Trigger className={styles.viewer}>
        <span className={text.cut}>
          {name}
          <span className={styles.soft}>{role && roleNames[role]}</span>
        </span>
        <ChevronIcon size={16} />
      </Menu.Trigger>
      <MenuPopup align="start">
        <MenuItem onClick={openAccount}>{copy.navigation.account}</MenuItem>
        <MenuItem
          onClick={() => {
            onLeave();
            onShowShortcuts();
          }}
        >
          {copy.shortcuts.title}
        </MenuItem>
        <MenuItem onClick={() => window.open("/docs#changelog", "_blank", "noreferrer")}>
          {copy.navigation.changelog}
        </MenuItem>
        <MenuItem onClick={() => !logOut.isPending && logOut.mutate()}>{copy.logOut}</MenuItem>
      </MenuPopup>
    </Menu.Root>
  );
}
