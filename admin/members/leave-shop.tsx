import { useMutation } from "@tanstack/react-query";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { LeaveShop } from "./member-queries.ts";
import { copy } from "./copy.ts";

/** Ends the viewer's own membership of the shop. */
export function LeaveShopDialog({ onClose }: { onClose: () => void }) {
  const { id: shopId, name } = useShop();
  const leave = useMutation({
    mutationFn: (_: FormData) => request(LeaveShop, { shopId }),
    // Reloads Admin: the viewer has no access to the shop or its cached data any more.
    onSuccess: () => location.assign("/admin/"),
  });
  return (
    <FormDialog
      title={copy.leave.title(name)}
      description={copy.leave.text}
      label={copy.leave.submit}
      isDanger
      mutation={leave}
      onClose={onClose}
    />
  );
}
