import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../request.ts";
import { TextField } from "../ui/forms/form.tsx";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { SecretDialog } from "../ui/dialogs/secret-dialog.tsx";
import { toast } from "../ui/toasts.tsx";
import { Invite, type Role } from "./member-queries.ts";
import { RoleField } from "./role-field.tsx";
import { copy } from "./copy.ts";

interface InviteProps {
  shopId: string;
  /** The email of an invitation that this one replaces. */
  email?: string;
  role?: Role;
  onClose: () => void;
}

/** Invites a member. Where email is not configured, it shows the invitation link once. */
export function InviteDialog({ shopId, email, role: before = "CLERK", onClose }: InviteProps) {
  const client = useQueryClient();
  const [role, setRole] = useState<Role>(before);
  const invite = useMutation({
    mutationFn: (values: FormData) => request(Invite, { shopId, input: { email: readText(values, "email"), role } }),
    gcTime: 0,
    onSuccess: async ({ inviteMember: { token, invitation } }) => {
      if (!token) {
        toast(copy.invite.sent(invitation.email));
        onClose();
      }
      await client.invalidateQueries({ queryKey: ["members", shopId] });
    },
  });
  const created = invite.data?.inviteMember;
  if (created?.token) {
    return (
      <SecretDialog
        title={copy.invite.linkTitle(created.invitation.email)}
        description={copy.invite.linkText}
        label={copy.invite.link}
        secret={`${location.origin}/admin/join#${created.token}`}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog title={copy.invite.title} label={copy.invite.submit} mutation={invite} onClose={onClose}>
      <TextField name="email" label={copy.invite.email} inputMode="email" defaultValue={email} required autoFocus />
      <RoleField value={role} onChange={setRole} />
    </FormDialog>
  );
}
