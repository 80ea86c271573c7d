import { useState } from "react";
import { request } from "../request.ts";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import {
  ChangeRole,
  EndMemberSessions,
  RemoveMember,
  RevokeInvitation,
  useMemberChange,
  type Invitation,
  type Member,
  type Role,
} from "./member-queries.ts";
import { RoleField } from "./role-field.tsx";

interface ChangeProps {
  shopId: string;
  member: Member;
  onClose: () => void;
}

export function ChangeRoleDialog({ shopId, member: { id, email, role: before }, onClose }: ChangeProps) {
  const [role, setRole] = useState<Role>(before);
  const change = useMemberChange(
    shopId,
    () => request(ChangeRole, { shopId, staffId: id, role }),
    () => `${email} has a new role`,
    onClose,
  );
  return (
    <FormDialog
      title={`Role of ${email}`}
      description="It takes effect at once."
      label="Change role"
      mutation={change}
      onClose={onClose}
    >
      <RoleField value={role} onChange={setRole} />
    </FormDialog>
  );
}

export function EndSessionsDialog({ shopId, member: { id, email }, onClose }: ChangeProps) {
  const end = useMemberChange(
    shopId,
    () => request(EndMemberSessions, { shopId, staffId: id }),
    ({ endMemberSessions: count }) => (count === 1 ? "One session ended" : `${count} sessions ended`),
    onClose,
  );
  return (
    <FormDialog
      title={`Log ${email} out everywhere?`}
      description="Every session of theirs ends, in other shops too. They may log in again: if somebody else knows their password, it has to change first."
      label="Log out everywhere"
      isDanger
      mutation={end}
      onClose={onClose}
    />
  );
}

export function RemoveMemberDialog({ shopId, member: { id, email }, onClose }: ChangeProps) {
  const remove = useMemberChange(
    shopId,
    () => request(RemoveMember, { shopId, staffId: id }),
    () => `${email} no longer works for the shop`,
    onClose,
  );
  return (
    <FormDialog
      title={`Remove ${email}?`}
      description="They lose this shop at once, and invitations that they made are taken back. Their account stays, and what they did stays in the audit log."
      label="Remove member"
      isDanger
      mutation={remove}
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
  const revoke = useMemberChange(
    shopId,
    () => request(RevokeInvitation, { shopId, id }),
    () => "The invitation is taken back",
    onClose,
  );
  return (
    <FormDialog
      title={`Take back the invitation of ${email}?`}
      description="Its link stops working."
      label="Take back"
      isDanger
      mutation={revoke}
      onClose={onClose}
    />
  );
}
