import { Menu } from "@base-ui/react/menu";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { roleNames } from "../copy.ts";
import { useShop, useViewer } from "../queries.ts";
import { graphql, request } from "../request.ts";
import { ChevronIcon } from "../ui/icons.tsx";
import { MenuItem, MenuPopup } from "../ui/menu.tsx";
import styles from "./shell.module.css";
import { copy } from "./copy.ts";

const LogOut = graphql(`
  mutation LogOut {
    logOut
  }
`);

/** The viewer's email address and role. It opens the account settings and logs out. */
export function AccountMenu({ onLeave }: { onLeave: () => void }) {
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
        <span className={styles.name}>
          {name}
          <span className={styles.soft}>{role && roleNames[role]}</span>
        </span>
        <ChevronIcon size={16} />
      </Menu.Trigger>
      <MenuPopup align="start">
        <MenuItem onClick={openAccount}>{copy.navigation.account}</MenuItem>
        <MenuItem onClick={() => !logOut.isPending && logOut.mutate()}>{copy.logOut}</MenuItem>
      </MenuPopup>
    </Menu.Root>
  );
}
