import { useMutation } from "@tanstack/react-query";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { LeaveShop } from "./member-queries.ts";

/** Ends the viewer's own membership of the shop of the page. */
export function LeaveShopDialog({ onClose }: { onClose: () => void }) {
  const { id: shopId, name } = useShop();
  const leave = useMutation({
    mutationFn: (_: FormData) => request(LeaveShop, { shopId }),
    // Loaded anew: no page of the shop is for the viewer now, nor is anything that was read for one.
    onSuccess: () => location.assign("/admin/"),
  });
  return (
    <FormDialog
      title={`Leave ${name}?`}
      description="You lose this shop at once, and invitations that you made are taken back. Your account stays, and what you did stays in the audit log. To come back you need a new invitation."
      label="Leave the shop"
      isDanger
      mutation={leave}
      onClose={onClose}
    />
  );
}
