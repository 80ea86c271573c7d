import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../request.ts";
import { readText, TextField } from "../ui/forms/form.tsx";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { SecretDialog } from "../ui/dialogs/secret-dialog.tsx";
import { toast } from "../ui/toasts.tsx";
import {
  ChangeRole,
  EndMemberSessions,
  Invite,
  LeaveShop,
  RemoveMember,
  RevokeInvitation,
  type Invitation,
  type Member,
  type Role,
} from "./member-queries.ts";
import { useShop, viewerQuery } from "../queries.ts";
import { ChangeDialog, type ChangeDialogProps } from "../records/change-dialog.tsx";
import { roleDescriptions, roleNames } from "../copy.ts";
import { Choice, optionsOf } from "../ui/forms/select.tsx";
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
      await client.invalidateQueries({ queryKey: ["records", shopId, "members"] });
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

interface StaffDialogProps<Result> extends Omit<ChangeDialogProps<Result>, "title" | "label"> {
  texts: { title: (email: string) => string; text: string; submit: string };
  email: string;
}

/** Changes the shop's staff. It also reloads the viewer, because the change may concern them. */
function StaffDialog<Result>({ texts, email, ...dialog }: StaffDialogProps<Result>) {
  const client = useQueryClient();
  return (
    <ChangeDialog
      {...dialog}
      title={texts.title(email)}
      description={texts.text}
      label={texts.submit}
      onDone={() => client.invalidateQueries(viewerQuery)}
    />
  );
}

interface ChangeProps {
  shopId: string;
  member: Member;
  onClose: () => void;
}

export function ChangeRoleDialog({ shopId, member: { id, email, role: before }, onClose }: ChangeProps) {
  const [role, setRole] = useState<Role>(before);
  return (
    <StaffDialog
      texts={copy.changeRole}
      email={email}
      change={() => request(ChangeRole, { shopId, staffId: id, role })}
      successMessage={copy.changeRole.done(email)}
      onClose={onClose}
    >
      <RoleField value={role} onChange={setRole} />
    </StaffDialog>
  );
}

export function EndSessionsDialog({ shopId, member: { id, email }, onClose }: ChangeProps) {
  return (
    <StaffDialog
      texts={copy.endSessions}
      email={email}
      isDanger
      change={() => request(EndMemberSessions, { shopId, staffId: id })}
      successMessage={({ endMemberSessions: count }) => copy.endSessions.done(count)}
      onClose={onClose}
    />
  );
}

export function RemoveMemberDialog({ shopId, member: { id, email }, onClose }: ChangeProps) {
  return (
    <StaffDialog
      texts={copy.remove}
      email={email}
      isDanger
      change={() => request(RemoveMember, { shopId, staffId: id })}
      successMessage={copy.remove.done(email)}
      onClose={onClose}
    />
  );
}

interface RevokeProps {
  shopId: string;
  invitation: Invitation;
  onClose: () => void;
}

export function RevokeInvitationDialog({ shopId, invitation: { id, email }, onClose }: RevokeProps) {
  return (
    <StaffDialog
      texts={copy.revoke}
      email={email}
      isDanger
      change={() => request(RevokeInvitation, { shopId, id })}
      successMessage={copy.revoke.done}
      onClose={onClose}
    />
  );
}

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

const roles = optionsOf<Role>(roleNames);

/** The field for a member's role, with a description of the chosen one. */
export function RoleField({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  return (
    <Choice
      name="role"
      label={copy.role}
      hint={roleDescriptions[value]}
      value={value}
      options={roles}
      onChange={onChange}
    />
  );
}
