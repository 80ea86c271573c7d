import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useShop, useViewer } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { roleNames } from "../shell/words.ts";
import { Badge } from "../ui/values/badge.tsx";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { Page, Section } from "../ui/page.tsx";
import { Table, type Column } from "../ui/table.tsx";
import { isAhead } from "../ui/values/moments.ts";
import { Time } from "../ui/values/time.tsx";
import { ChangeRoleDialog, EndSessionsDialog, RemoveMemberDialog, RevokeInvitationDialog } from "./change-member.tsx";
import { InviteDialog } from "./invite-member.tsx";
import { LeaveShopDialog } from "./leave-shop.tsx";
import { membersQuery, type Invitation, type Member } from "./member-queries.ts";
import text from "../ui/text.module.css";

const dialogs = {
  role: ChangeRoleDialog,
  sessions: EndSessionsDialog,
  remove: RemoveMemberDialog,
  leave: LeaveShopDialog,
};
type OnChange = (kind: keyof typeof dialogs, member: Member) => void;
type OnInvitation = (kind: "again" | "revoke", invitation: Invitation) => void;

export function MembersPage() {
  return useShop().may("SETTINGS") ? <Members /> : <NoPermission title="Members" />;
}

function Members() {
  const { id: shopId } = useShop();
  const { id: viewerId } = useViewer();
  const { data } = useSuspenseQuery(membersQuery(shopId));
  const [isInviting, setInviting] = useState(false);
  const [change, setChange] = useState<{ kind: keyof typeof dialogs; member: Member }>();
  const Change = change && dialogs[change.kind];
  return (
    <Page
      title="Members"
      description="Who works for the shop, and what they may do."
      action={
        <Button look="primary" onClick={() => setInviting(true)}>
          <PlusIcon /> Invite a member
        </Button>
      }
    >
      <Table
        caption="Members"
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
        <Section title="Invitations">
          <Table
            caption="Invitations"
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
    title: "E-mail",
    cell: ({ id, email }) => (
      <>
        <span className={text.name}>{email}</span> {id === viewerId && <Badge>You</Badge>}
      </>
    ),
  },
  { title: "Role", cell: ({ role }) => roleNames[role] },
  {
    title: "Second factor",
    cell: ({ hasSecondFactor }) => (hasSecondFactor ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>),
  },
  { title: "Joined", cell: ({ createdAt }) => <Time value={createdAt} /> },
  {
    title: "",
    cell: (member) => (
      <Menu label={`Actions on ${member.email}`}>
        <MenuItem onClick={() => onChange("role", member)}>Change role</MenuItem>
        {member.id !== viewerId && <MenuItem onClick={() => onChange("sessions", member)}>Log out everywhere</MenuItem>}
        <MenuItem isDanger onClick={() => onChange(member.id === viewerId ? "leave" : "remove", member)}>
          {member.id === viewerId ? "Leave" : "Remove"}
        </MenuItem>
      </Menu>
    ),
  },
];

const invitationColumns = (onChange: OnInvitation): Column<Invitation>[] => [
  { title: "E-mail", cell: ({ email }) => <span className={text.name}>{email}</span> },
  { title: "Role", cell: ({ role }) => roleNames[role] },
  { title: "Invited by", cell: ({ invitedByName }) => invitedByName ?? "An operator" },
  {
    title: "Ends",
    cell: ({ expiresAt }) => (
      <>
        <Time value={expiresAt} /> {!isAhead(expiresAt) && <Badge tone="warning">Expired</Badge>}
      </>
    ),
  },
  {
    title: "",
    cell: (invitation) => (
      <Menu label={`Actions on the invitation of ${invitation.email}`}>
        <MenuItem onClick={() => onChange("again", invitation)}>Invite again</MenuItem>
        <MenuItem isDanger onClick={() => onChange("revoke", invitation)}>
          Take back
        </MenuItem>
      </Menu>
    ),
  },
];
