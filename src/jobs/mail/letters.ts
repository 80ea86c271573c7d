import { AuditAction } from "../../core/model/shops/audit-entry.entity.ts";
import type { AccountChange, DigestNotice } from "../../core/notifications/mail-jobs.sql.ts";
import type { Letter } from "../../platform/mail/letter.ts";
import type { Invitation } from "../../core/model/staff/invitation.entity.ts";
import { NotificationKind } from "../../core/model/notifications/notification-kind.ts";

/** Formats a time in UTC, because the reader's time zone is unknown. */
export function formatTime(instant: Date | string): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

const ALWAYS = "You can't turn off emails about your own account.";

const changes: Record<AccountChange, { subject: string; happened: (time: string) => string }> = {
  PASSWORD_CHANGED: {
    subject: "Your password was changed",
    happened: (time) => `The password of your account was changed at ${time}. You've been logged out everywhere.`,
  },
  [AuditAction.MEMBER_SECOND_FACTOR_ENABLED]: {
    subject: "Two-factor authentication was turned on",
    happened: (time) =>
      `Two-factor authentication was turned on for your account at ${time}. You now need a code to log in.`,
  },
  [AuditAction.MEMBER_SECOND_FACTOR_DISABLED]: {
    subject: "Two-factor authentication was turned off",
    happened: (time) =>
      `Two-factor authentication was turned off for your account at ${time}. You now log in with your password only.`,
  },
  [AuditAction.MEMBER_RECOVERY_CODE_USED]: {
    subject: "A recovery code was used",
    happened: (time) =>
      `A recovery code of your account was used at ${time} instead of a code from your authenticator app.`,
  },
  [AuditAction.MEMBER_RECOVERY_CODES_REPLACED]: {
    subject: "Your recovery codes were replaced",
    happened: (time) =>
      `New recovery codes were created for your account at ${time}. The previous codes no longer work.`,
  },
};

/** Reports a change of an account, with a link to reset the password. */
export function accountLetter(change: AccountChange, at: Date, baseUrl: string): Letter {
  const { subject, happened } = changes[change];
  const advice = "If this wasn't you, reset your password immediately and contact an owner of your shop.";
  return {
    subject,
    paragraphs: [`${happened(formatTime(at))} ${advice}`],
    link: { label: "Reset your password", url: `${baseUrl}/admin/reset` },
    footer: ALWAYS,
  };
}

/** Contains the link to reset a password. */
export function resetLetter(token: string, baseUrl: string): Letter {
  return {
    subject: "Reset your password",
    paragraphs: [
      "We received a request to reset the password of your account. To set a new password, use this link. It works once and expires in 30 minutes.",
      "If this wasn't you, ignore this email. Your password won't change.",
    ],
    link: { label: "Set a new password", url: `${baseUrl}/admin/reset#${token}` },
    footer: ALWAYS,
  };
}

/** Contains the link to join a shop. */
export function invitationLetter(
  { role, expiresAt }: Pick<Invitation, "role" | "expiresAt">,
  { shopName, token, baseUrl }: { shopName: string; token: string; baseUrl: string },
): Letter {
  return {
    subject: `Join the staff of ${shopName}`,
    paragraphs: [
      `You're invited to join the staff of ${shopName} as ${role.toLowerCase()}. Staff manage the shop's products, orders and customers in Admin.`,
      `The link works once and expires at ${formatTime(expiresAt)}. Choose a password, or log in if you already have an account.`,
    ],
    link: { label: `Join ${shopName}`, url: `${baseUrl}/admin/join#${token}` },
    footer: `${shopName} sent this invitation. If you don't know the shop, ignore this email.`,
  };
}

interface Wording {
  subject: string;
  /** The sentence before the list. */
  introduction: string;
  item: (notice: DigestNotice) => string;
  advice: string;
}

const reasons: Record<string, string> = {
  GONE: "it responded with 410 Gone",
  FAILING: "all attempts failed for five days",
};

const wordings: Record<NotificationKind, Wording> = {
  [NotificationKind.API_KEY_NEW_ADDRESS]: {
    subject: "API keys were used from new addresses",
    introduction: "Requests with these keys came from addresses that they did not come from before:",
    item: ({ targetName, details }) => `${targetName}: ${details.addresses}, since ${formatTime(details.firstAt!)}.`,
    advice:
      "If you don't know an address, open the key in Admin to see its requests, and rotate or revoke it. You can also limit it to your own addresses.",
  },
  [NotificationKind.CREDENTIAL_EXPIRING]: {
    subject: "API keys or service tokens expire soon",
    introduction: "Requests with these credentials will soon be refused:",
    item: ({ targetName, details }) => `The ${details.what} "${targetName}" expires at ${formatTime(details.endsAt!)}.`,
    advice: "Before then, rotate the key or create a new token, and switch your service to it.",
  },
  [NotificationKind.ORDER_OVERPAID]: {
    subject: "Money to give back",
    introduction: "These orders hold more than their price, because it was captured after they were cancelled or paid:",
    item: ({ targetName, details }) => `Order #${targetName}: ${details.amount}`,
    advice: "To give it back, refund the amount. Home in Admin counts all such orders.",
  },
  [NotificationKind.SANDBOX_ENDING]: {
    subject: "An unused sandbox will be deleted",
    introduction: "Nobody has used these sandboxes for almost three months:",
    item: ({ targetName, details }) => `${targetName} will be deleted after ${formatTime(details.endsAt!)}.`,
    advice:
      "To keep a sandbox, open it in Admin or use one of its API keys before then. You can create a new one anytime.",
  },
  [NotificationKind.TRIAL_ENDING]: {
    subject: "Your trial ends soon",
    introduction: "When the trial ends, API keys stop working and webhooks are no longer sent:",
    item: ({ targetName, details }) => `The trial of ${targetName} ends at ${formatTime(details.endsAt!)}.`,
    advice: "To continue without interruption, choose a plan before then. You can replay missed webhooks for 30 days.",
  },
  [NotificationKind.WEBHOOK_DELIVERIES_USED_UP]: {
    subject: "Webhook deliveries failed",
    introduction: "These deliveries failed on their last attempt:",
    item: ({ targetName, count }) => `${count} to ${targetName}`,
    advice: "You can replay them for 30 days after their events.",
  },
  [NotificationKind.WEBHOOK_ENDPOINT_DISABLED]: {
    subject: "A webhook endpoint was disabled",
    introduction: "Events are no longer sent to:",
    item: ({ targetName, details }) => `${targetName}: ${reasons[details.reason!]}.`,
    advice: "To enable the endpoint, send a successful test event. You can then replay missed events for 30 days.",
  },
  [NotificationKind.WEBHOOK_ENDPOINT_FAILING]: {
    subject: "A webhook endpoint is failing",
    introduction: "Attempts have failed for an hour or more at:",
    item: ({ targetName, details }) =>
      `${targetName}, since ${formatTime(details.failingSince!)}. ${details.topics ?? ""}`.trimEnd(),
    advice: "To see why, open Deliveries in Admin. Each delivery is retried for about three days.",
  },
  [NotificationKind.WEBHOOK_ENDPOINT_SUSPENDED]: {
    subject: "A webhook endpoint has failed for a day",
    introduction: "Attempts have failed for a day. An endpoint that answers no topic will be disabled:",
    item: ({ targetName, details }) =>
      `${targetName}, failing since ${formatTime(details.failingSince!)}, will be disabled at ${formatTime(details.disablesAt!)} at the earliest. ${details.topics ?? ""}`.trimEnd(),
    advice:
      "While an endpoint is suspended, one delivery of each suspended topic checks whether it has recovered. The others wait.",
  },
  [NotificationKind.WEBHOOK_ENDPOINT_WITHOUT_TOKEN]: {
    subject: "Webhook endpoints without a valid service token",
    introduction: "Events still go to these endpoints, but the service tokens that managed them have ended:",
    item: ({ targetName, details }) =>
      `${targetName}: the service token "${details.what}" ended at ${formatTime(details.endsAt!)}.`,
    advice: "Open the endpoint in Admin, and take it over if you still need it, or delete it.",
  },
  [NotificationKind.WEBHOOK_EVENTS_WAITING]: {
    subject: "Events wait to be fetched",
    introduction: "Services have not acknowledged events of these pull endpoints for a day:",
    item: (notice) => `${notice.targetName}: ${describeBacklog(notice)}.`,
    advice: "Check that the service runs. Events are kept for 30 days.",
  },
};

const HOUR = 3_600_000;
const number = new Intl.NumberFormat("en-US");

/** Says how many events wait, such as "12,400 events wait, the oldest for 26 h". */
function describeBacklog({ count, details, createdAt }: DigestNotice): string {
  const hours = Math.floor((Date.parse(createdAt) - Date.parse(details.oldestAt!)) / HOUR);
  return `${count === 1 ? "1 event waits" : `${number.format(count)} events wait`}, the oldest for ${number.format(hours)} h`;
}

/** Lists all notices of one kind for a member of staff. */
export function digestLetter(kind: NotificationKind, notices: readonly DigestNotice[], shopName: string): Letter {
  const { subject, introduction, item, advice } = wordings[kind];
  return {
    subject,
    paragraphs: [introduction, advice],
    items: notices.map(item),
    footer: `You get this email as a member of the staff of ${shopName}. To choose your emails, open Shop settings in Admin.`,
  };
}
