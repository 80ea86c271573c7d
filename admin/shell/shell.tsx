import { Dialog } from "@base-ui/react/dialog";
import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useShop, useViewer } from "../queries.ts";
import { graphql, request } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { CloseIcon, MenuIcon } from "../ui/icons.tsx";
import { Select } from "../ui/forms/select.tsx";
import { Skeleton } from "../ui/states.tsx";
import { useRestoredFocus } from "./restore-focus.ts";
import { ServerStatus } from "./server-status.tsx";
import { sections } from "./sections.ts";
import styles from "./shell.module.css";
import { copy, planNames } from "./copy.ts";

const LogOut = graphql(`
  mutation LogOut {
    logOut
  }
`);

/** The frame of a shop's pages, with the menu. On narrow screens the menu opens as a dialog. */
export function Shell() {
  const [isOpen, setOpen] = useState(false);
  const shop = useShop();
  useRestoredFocus();
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {copy.skipToContent}
      </a>
      <aside className={styles.side}>
        <Menu onLeave={() => undefined} />
      </aside>
      <header className={styles.bar}>
        <Dialog.Root open={isOpen} onOpenChange={setOpen}>
          <Dialog.Trigger className={styles.open} aria-label={copy.menu}>
            <MenuIcon />
          </Dialog.Trigger>
          <Dialog.Portal>
            <Dialog.Backdrop className={styles.backdrop} />
            <Dialog.Popup className={styles.popup} aria-label={copy.menu}>
              <Dialog.Close className={styles.open} aria-label={copy.close}>
                <CloseIcon />
              </Dialog.Close>
              <Menu onLeave={() => setOpen(false)} />
            </Dialog.Popup>
          </Dialog.Portal>
        </Dialog.Root>
        <strong>{shop.name}</strong>
      </header>
      <main id="content" className={styles.main} tabIndex={-1}>
        <ServerStatus />
        <Suspense fallback={<Skeleton />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
}

function Menu({ onLeave }: { onLeave: () => void }) {
  const shop = useShop();
  const viewer = useViewer();
  const navigate = useNavigate();
  const client = useQueryClient();
  const logOut = useMutation({
    mutationFn: () => request(LogOut, {}),
    onSuccess: async () => {
      await navigate({ to: "/login", search: {} });
      client.clear();
    },
  });
  const shops = viewer.memberships.map((membership) => [membership.shop.id, membership.shop.name] as const);
  const change = (shopId: string | undefined) => {
    onLeave();
    if (shopId) void navigate({ to: "/$shopId/keys", params: { shopId } });
  };
  return (
    <div className={styles.menu}>
      <div className={styles.shop}>
        {shops.length > 1 ? (
          <Select label={copy.shop} value={shop.id} options={shops} onChange={change} />
        ) : (
          <strong>{shop.name}</strong>
        )}
        <p className={styles.soft}>{planNames[shop.plan]}</p>
      </div>
      <nav aria-label={copy.pages}>
        {sections.map(({ title, pages }) => (
          <div key={title} className={styles.section}>
            <p className={styles.heading}>{title}</p>
            <ul>
              {pages.map((each) => (
                <li key={each.to}>
                  <Link to={each.to} params={{ shopId: shop.id }} className={styles.link} onClick={onLeave}>
                    {each.title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className={styles.viewer}>
        <span className={styles.name}>{viewer.name}</span>
        <Button variant="bare" busy={logOut.isPending} onClick={() => logOut.mutate()}>
          {copy.logOut}
        </Button>
      </div>
    </div>
  );
}
