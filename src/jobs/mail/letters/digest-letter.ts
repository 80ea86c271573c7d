import type { ToldNotice } from "../../../core/notifications/mail-jobs.sql.ts";
import { NotificationKind } from "../../../core/model/notifications/notification-kind.ts";
import type { Letter } from "../../../platform/mail/letter.ts";
import { formatTime } from "./format-time.ts";

interface Wording {
  subject: string;
  /** Leads over to the list. */
  introduction: string;
  item: (notice: ToldNotice) => string;
  advice: string;
}

const reasons: Record<string, string> = {
  GONE: "it answered that it is gone (410)",
  FAILING: "every attempt of five days failed",
};

const wordings: Record<NotificationKind, Wording> = {
  [NotificationKind.CREDENTIAL_EXPIRING]: {
    subject: "Keys or tokens are about to expire",
    introduction: "Requests with these will soon be refused:",
    item: ({ targetName, details }) => `The ${details.what} "${targetName}" expires at ${formatTime(details.endsAt!)}.`,
    advice: "Rotate a key, or create another token, and put it to use before that.",
  },
  [NotificationKind.TRIAL_ENDING]: {
    subject: "Your trial is about to end",
    introduction: "When the trial ends, API keys are refused and webhooks are not sent:",
    item: ({ targetName, details }) => `The trial of ${targetName} ends at ${formatTime(details.endsAt!)}.`,
    advice: "Move to a plan before that, and everything goes on. What webhooks missed can be replayed for 30 days.",
  },
  [NotificationKind.WEBHOOK_DELIVERIES_USED_UP]: {
    subject: "Webhook deliveries failed for good",
    introduction: "Deliveries failed at the last of their attempts:",
    item: ({ targetName, count }) => `${count} to ${targetName}`,
    advice: "They can be replayed until 30 days after their events.",
  },
  [NotificationKind.WEBHOOK_ENDPOINT_DISABLED]: {
    subject: "A webhook endpoint was disabled",
    introduction: "Nothing is sent any more to:",
    item: ({ targetName, details }) => `${targetName}: ${reasons[details.reason!]}.`,
    advice: "A test event that succeeds enables it again. What it missed can then be replayed for 30 days.",
  },
  [NotificationKind.WEBHOOK_ENDPOINT_FAILING]: {
    subject: "A webhook endpoint is failing",
    introduction: "Every attempt has failed for an hour or more at:",
    item: ({ targetName, details }) => `${targetName}, since ${formatTime(details.failingSince!)}.`,
    advice: "The log of deliveries says why. Each delivery is tried again for about three days.",
  },
  [NotificationKind.WEBHOOK_ENDPOINT_SUSPENDED]: {
    subject: "A webhook endpoint has failed for a day",
    introduction: "Every attempt has failed for a day. Endpoints that keep failing will be disabled:",
    item: ({ targetName, details }) =>
      `${targetName}, failing since ${formatTime(details.failingSince!)}, is disabled at ${formatTime(details.disablesAt!)} at the earliest.`,
    advice:
      "While an endpoint is suspended, one delivery at a time checks whether it has recovered, and the others wait.",
  },
};

/** Tells a member of staff all that happened of one kind. */
export function digestLetter(kind: NotificationKind, notices: readonly ToldNotice[], shopName: string): Letter {
  const { subject, introduction, item, advice } = wordings[kind];
  return {
    subject,
    paragraphs: [introduction, advice],
    items: notices.map(item),
    footer: `You get this as a member of the staff of ${shopName}. Choose your mails in Admin, on the page Shop.`,
  };
}
