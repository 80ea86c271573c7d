import type { DigestNotice } from "../../../core/notifications/mail-jobs.sql.ts";
import { NotificationKind } from "../../../core/model/notifications/notification-kind.ts";
import type { Letter } from "../../../platform/mail/letter.ts";
import { formatTime } from "./format-time.ts";

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
  [NotificationKind.CREDENTIAL_EXPIRING]: {
    subject: "API keys or service tokens expire soon",
    introduction: "Requests with these credentials will soon be refused:",
    item: ({ targetName, details }) => `The ${details.what} "${targetName}" expires at ${formatTime(details.endsAt!)}.`,
    advice: "Before then, rotate the key or create a new token, and switch your service to it.",
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
};

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
