/** The language of the texts, and so of dates, sums and relative times. */
export const LOCALE = "en-US";

/** Texts of the controls that all pages share. */
export const copy = {
  actions: "Actions",
  cancel: "Cancel",
  close: "Close",
  dismiss: "Dismiss",
  loading: "Loading",
  emptyText: "(empty)",
  justNow: "just now",
  copied: "Copied",
  copyFailed: "Couldn’t copy. Select the text and copy it.",
  required: (label: string) => `${label} is required`,
  invalidAmount: (example: string) => `Enter an amount, such as ${example}`,
  bar: "Bar of the chart",
  quota: (used: number, maximum: number) => `${used} of ${maximum}`,
  quotaLabel: (noun: string) => `Plan limit: ${noun}`,
  windowTitle: (title: string) => `${title} · Admin`,

  error: {
    failed: "Something went wrong",
    forbidden: "You don’t have access",
    notFound: "Not found",
    unreachableHint: "This page retries automatically. Saved changes are safe.",
    requestId: "Request ID: {id}",
    retry: "Try again",
  },

  secret: {
    label: "Secret",
    copy: "Copy",
    confirm: "I’ve saved this. It can’t be shown again.",
    done: "Done",
  },

  periods: {
    today: "Today",
    days: (days: number) => `Last ${days} days`,
  },
};
