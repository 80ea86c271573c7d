import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../request.ts";
import { TextField } from "../ui/forms/form.tsx";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { SecretDialog } from "../ui/dialogs/secret-dialog.tsx";
import { tell } from "../ui/toasts.tsx";
import { Invite, type Role } from "./member-queries.ts";
import { RoleField } from "./role-field.tsx";

interface InviteProps {
  shopId: string;
  /** Address and role of an earlier invitation, which this one replaces. */
  email?: string;
  role?: Role;
  onClose: () => void;
}

/** Invites an address. Where mail is not configured, the link to hand over is shown once. */
export function InviteDialog({ shopId, email, role: before = "CLERK", onClose }: InviteProps) {
  const client = useQueryClient();
  const [role, setRole] = useState<Role>(before);
  const invite = useMutation({
    mutationFn: (values: FormData) => request(Invite, { shopId, input: { email: readText(values, "email"), role } }),
    gcTime: 0,
    onSuccess: async ({ inviteMember: { token, invitation } }) => {
      if (!token) {
        tell(`An invitation is on its way to ${invitation.email}`);
        onClose();
      }
      await client.invalidateQueries({ queryKey: ["members", shopId] });
    },
  });
  const created = invite.data?.inviteMember;
  if (created?.token) {
    return (
      <SecretDialog
        title={`Hand the link to ${created.invitation.email}`}
        description="This service sends no mail. Whoever has the link can join with it once, within seven days: give it to nobody else."
        label="Link"
        secret={`${location.origin}/admin/join#${created.token}`}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog title="Invite a member" label="Invite" mutation={invite} onClose={onClose}>
      <TextField name="email" label="E-mail" type="email" defaultValue={email} required autoFocus />
      <RoleField value={role} onChange={setRole} />
    </FormDialog>
  );
}
