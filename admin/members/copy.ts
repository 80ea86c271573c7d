/** Texts of the members page. */
export const copy = {
  title: "Members",
  description: "Manage who has access to the shop and what they can do.",
  columns: { email: "Email", role: "Role", secondFactor: "Two-factor authentication", joined: "Joined" },
  you: "You",
  on: "On",
  off: "Off",
  actionsFor: (email: string) => `Actions for ${email}`,

  invitations: "Invitations",
  invitationColumns: { email: "Email", role: "Role", invitedBy: "Invited by", expires: "Expires" },
  anOperator: "An operator",
  expired: "Expired",
  invitationActionsFor: (email: string) => `Actions for the invitation to ${email}`,

  role: "Role",
  changeRole: {
    action: "Change role",
    title: (email: string) => `Change the role of ${email}`,
    text: "The change takes effect immediately.",
    submit: "Change role",
    done: (email: string) => `Role of ${email} changed`,
  },
  endSessions: {
    action: "Log out everywhere",
    title: (email: string) => `Log ${email} out everywhere?`,
    text: "This ends all their sessions, in every shop. They can log in again: if someone else knows their password, it must be changed first.",
    submit: "Log out everywhere",
    done: (count: number) => (count === 1 ? "1 session ended" : `${count} sessions ended`),
  },
  remove: {
    action: "Remove",
    title: (email: string) => `Remove ${email}?`,
    text: "They lose access to this shop immediately, and the invitations they sent are revoked. Their account and their entries in the audit log remain.",
    submit: "Remove member",
    done: (email: string) => `${email} removed`,
  },
  leave: {
    action: "Leave",
    title: (shop: string) => `Leave ${shop}?`,
    text: "You lose access to this shop immediately, and the invitations you sent are revoked. Your account and your entries in the audit log remain. To come back, you need a new invitation.",
    submit: "Leave shop",
  },

  invite: {
    action: "Invite member",
    title: "Invite member",
    submit: "Invite",
    email: "Email",
    again: "Send again",
    sent: (email: string) => `Invitation sent to ${email}`,
    linkTitle: (email: string) => `Share this link with ${email}`,
    linkText:
      "This service doesn’t send email. Anyone with the link can use it once to join, within 7 days. Share it with no one else.",
    link: "Invitation link",
  },
  revoke: {
    action: "Revoke",
    title: (email: string) => `Revoke the invitation to ${email}?`,
    text: "The link will stop working.",
    submit: "Revoke invitation",
    done: "Invitation revoked",
  },
};
