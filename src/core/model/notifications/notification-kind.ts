import { enumType } from "../enum-type.ts";

/** The kinds of mails about a shop, in display order, which is also the order of locking their jobs. */
export const NotificationKind = enumType("NotificationKind", "The subject of an email notification about a shop.", {
  API_KEY_NEW_ADDRESS: "An API key was used from an address that it was not used from before.",
  CREDENTIAL_EXPIRING: "An API key or a service token expires in a week.",
  ORDER_OVERPAID: "An order holds money to give back, such as a payment captured after it was cancelled.",
  SANDBOX_ENDING: "A sandbox that nobody uses will be deleted in a week.",
  TRIAL_ENDING: "The shop's trial ends in a week.",
  WEBHOOK_DELIVERIES_USED_UP: "Deliveries failed after all their attempts.",
  WEBHOOK_ENDPOINT_DISABLED: "A webhook endpoint was disabled because it is gone or keeps failing.",
  WEBHOOK_ENDPOINT_FAILING: "A webhook endpoint has failed for an hour.",
  WEBHOOK_ENDPOINT_SUSPENDED: "A webhook endpoint has failed for a day and will be disabled.",
  WEBHOOK_ENDPOINT_WITHOUT_TOKEN: "The service token of a webhook endpoint has expired or was revoked.",
  WEBHOOK_EVENTS_WAITING: "Events of a pull endpoint have waited for a day.",
});
export type NotificationKind = keyof typeof NotificationKind;

export const notificationKinds = Object.values(NotificationKind);
