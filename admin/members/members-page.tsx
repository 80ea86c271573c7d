import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useShop, useViewer } from "../queries.ts";
import { roleNames } from "../copy.ts";
import { Badge } from "../ui/values/badge.tsx";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { Page, Section } from "../ui/page.tsx";
import { Table, type Column } from "../ui/table.tsx";
import { isAhead, Time } from "../ui/values/time.tsx";
import {
  ChangeRoleDialog,
  EndSessionsDialog,
  InviteDialog,
  LeaveShopDialog,
  RemoveMemberDialog,
  RevokeInvitationDialog,
} from "./member-dialogs.tsx";
import { membersQuery, type Invitation, type Member } from "./member-queries.ts";
import text from "../ui/text.module.css";
import { copy } from "./copy.ts";

const dialogs = {
  role: ChangeRoleDialog,
  sessions: EndSessionsDialog,
  remove: RemoveMemberDialog,
  leave: LeaveShopDialog,
};
type OnChange = (kind: keyof typeof dialogs, member: Member) => void;
type OnInvitation = (kind: "again" | "revoke", invitation: Invitation) => void;

export function MembersPage() {
  const { id: shopId } = useShop();
  const { id: viewerId } = useViewer();
  const { data } = useSuspenseQuery(membersQuery(shopId));
  const [isInviting, setInviting] = useState(false);
  const [change, setChange] = useState<{ kind: keyof typeof dialogs; member: Member }>();
  const Change = change && dialogs[change.kind];
  return (
    <Page
      title={copy.title}
      description={copy.description}
      action={
        <Button variant="primary" onClick={() => setInviting(true)}>
          <PlusIcon /> {copy.invite.action}
        </Button>
      }
    >
      <Table
        caption={copy.title}
        columns={memberColumns(viewerId, (kind, member) => setChange({ kind, member }))}
        rows={data.members}
        keyOf={({ id }) => id}
      />
      <Invitations shopId={shopId} invitations={data.invitations} />
      {isInviting && <InviteDialog shopId={shopId} onClose={() => setInviting(false)} />}
      {change && Change && <Change shopId={shopId} member={change.member} onClose={() => setChange(undefined)} />}
    </Page>
  );
}

function Invitations({ shopId, invitations }: { shopId: string; invitations: readonly Invitation[] }) {
  const [open, setOpen] = useState<{ kind: "again" | "revoke"; invitation: Invitation }>();
  const close = () => setOpen(undefined);
  return (
    <>
      {invitations.length > 0 && (
        <Section title={copy.invitations}>
          <Table
            caption={copy.invitations}
            columns={invitationColumns((kind, invitation) => setOpen({ kind, invitation }))}
            rows={invitations}
            keyOf={({ id }) => id}
          />
        </Section>
      )}
      {open?.kind === "revoke" && (
        <RevokeInvitationDialog shopId={shopId} invitation={open.invitation} onClose={close} />
      )}
      {open?.kind === "again" && (
        <InviteDialog shopId={shopId} email={open.invitation.email} role={open.invitation.role} onClose={close} />
      )}
    </>
  );
}

const memberColumns = (viewerId: string, onChange: OnChange): Column<Member>[] => [
  {
    title: copy.columns.email,
    cell: ({ id, email }) => (
      <>
        <span className={text.name}>{email}</span> {id === viewerId && <Badge>{copy.you}</Badge>}
      </>
    ),
  },
  { title: copy.columns.role, cell: ({ role }) => roleNames[role] },
  {
    title: copy.columns.secondFactor,
    cell: ({ hasSecondFactor }) => (hasSecondFactor ? <Badge tone="good">{copy.on}</Badge> : <Badge>{copy.off}</Badge>),
  },
  { title: copy.columns.joined, cell: ({ createdAt }) => <Time value={createdAt} /> },
  {
    title: "",
    cell: (member) => (
      <Menu label={copy.actionsFor(member.email)}>
        <MenuItem onClick={() => onChange("role", member)}>{copy.changeRole.action}</MenuItem>
        {member.id !== viewerId && (
          <MenuItem onClick={() => onChange("sessions", member)}>{copy.endSessions.action}</MenuItem>
        )}
        <MenuItem isDanger onClick={() => onChange(member.id === viewerId ? "leave" : "remove", member)}>
          {member.id === viewerId ? copy.leave.action : copy.remove.action}
        </MenuItem>
      </Menu>
    ),
  },
];

const invitationColumns = (onChange: OnInvitation): Column<Invitation>[] => [
  { title: copy.invitationColumns.email, cell: ({ email }) => <span className={text.name}>{email}</span> },
  { title: copy.invitationColumns.role, cell: ({ role }) => roleNames[role] },
  { title: copy.invitationColumns.invitedBy, cell: ({ invitedByName }) => invitedByName ?? copy.anOperator },
  {
    title: copy.invitationColumns.expires,
    cell: ({ expiresAt }) => (
      <>
        <Time value={expiresAt} /> {!isAhead(expiresAt) && <Badge tone="warning">{copy.expired}</Badge>}
      </>
    ),
  },
  {
    title: "",
    cell: (invitation) => (
      <Menu label={copy.invitationActionsFor(invitation.email)}>
        <MenuItem onClick={() => onChange("again", invitation)}>{copy.invite.again}</MenuItem>
        <MenuItem isDanger onClick={() => onChange("revoke", invitation)}>
          {copy.revoke.action}
        </MenuItem>
      </Menu>
    ),
  },
];
