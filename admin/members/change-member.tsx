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
import { copy } from "./copy.ts";

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
    () => copy.changeRole.done(email),
    onClose,
  );
  return (
    <FormDialog
      title={copy.changeRole.title(email)}
      description={copy.changeRole.text}
      label={copy.changeRole.submit}
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
    ({ endMemberSessions: count }) => copy.endSessions.done(count),
    onClose,
  );
  return (
    <FormDialog
      title={copy.endSessions.title(email)}
      description={copy.endSessions.text}
      label={copy.endSessions.submit}
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
    () => copy.remove.done(email),
    onClose,
  );
  return (
    <FormDialog
      title={copy.remove.title(email)}
      description={copy.remove.text}
      label={copy.remove.submit}
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
    () => copy.revoke.done,
    onClose,
  );
  return (
    <FormDialog
      title={copy.revoke.title(email)}
      description={copy.revoke.text}
      label={copy.revoke.submit}
      isDanger
      mutation={revoke}
      onClose={onClose}
    />
  );
}
