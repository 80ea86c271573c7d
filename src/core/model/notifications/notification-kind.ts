import { registerEnumType } from "type-graphql";

/** The kinds of mails about a shop, in display order, which is also the order of locking their jobs. */
export enum NotificationKind {
  CREDENTIAL_EXPIRING = "CREDENTIAL_EXPIRING",
  TRIAL_ENDING = "TRIAL_ENDING",
  WEBHOOK_DELIVERIES_USED_UP = "WEBHOOK_DELIVERIES_USED_UP",
  WEBHOOK_ENDPOINT_DISABLED = "WEBHOOK_ENDPOINT_DISABLED",
  WEBHOOK_ENDPOINT_FAILING = "WEBHOOK_ENDPOINT_FAILING",
  WEBHOOK_ENDPOINT_SUSPENDED = "WEBHOOK_ENDPOINT_SUSPENDED",
}

export const notificationKinds = Object.values(NotificationKind);

registerEnumType(NotificationKind, {
  name: "NotificationKind",
  description: "The subject of an email notification about a shop.",
  valuesConfig: {
    CREDENTIAL_EXPIRING: { description: "An API key or a service token expires in a week." },
    TRIAL_ENDING: { description: "The shop's trial ends in a week." },
    WEBHOOK_DELIVERIES_USED_UP: { description: "Deliveries failed after all their attempts." },
    WEBHOOK_ENDPOINT_DISABLED: { description: "A webhook endpoint was disabled because it is gone or keeps failing." },
    WEBHOOK_ENDPOINT_FAILING: { description: "A webhook endpoint has failed for an hour." },
    WEBHOOK_ENDPOINT_SUSPENDED: { description: "A webhook endpoint has failed for a day and will be disabled." },
  },
});
