/** Texts of the shop's settings. */
export const copy = {
  title: "Shop settings",
  description: "Shop details and policies. To change the plan or the currency, contact the operator of this service.",
  saved: "Saved",
  save: "Save",

  id: "Shop ID",
  copyId: "Copy shop ID",
  plan: "Plan",
  trialEnds: "Trial ends",
  trialEnded: "Trial ended",
  currency: "Currency",
  created: "Created",

  name: {
    title: "Name",
    label: "Name",
    hint: "Staff see this name in Admin and in invitations.",
    empty: { name: "Enter a name" },
  },

  prices: {
    title: "Prices",
    includeTax: "Prices include tax",
    includeTaxHint: "The total of new orders is the price of their items. Tax is shown as a part of it.",
    include: {
      title: "Include tax in prices?",
      text: "Every product costs the customer its price. Tax is a part of it.",
      submit: "Include tax",
    },
    exclude: {
      title: "Add tax to prices?",
      text: "Every product costs the customer its price and the tax.",
      submit: "Add tax",
    },
    example: (product: string, price: string, rate: string) => `Example: ${product} at ${price}, with ${rate}% tax`,
    now: "Now",
    newOrders: "New orders",
    cost: (total: string, tax: string) => `${total}, of which ${tax} is tax`,
    keep: "Prices of products and existing orders don’t change.",
    rate: "Default tax rate (%)",
    rateHint: "For items of orders that have no tax rate. Leave empty to sell them without tax.",
    invalidRate: "Enter a percentage from 0 to 100, such as 19 or 7.7",
    cash: "Cash rounding",
    cashHint: "The total of an order paid in cash is rounded to the nearest multiple, and so are refunds in cash.",
    exact: "None",
    usual: (step: string) => `${step} (usual)`,
  },

  policies: {
    title: "Policies",
    overselling: "Allow overselling",
    oversellingHint: "Sales can take stock below zero.",
    secondFactor: "Require two-factor authentication for owners",
    secondFactorHint: "Owners without it lose access to the shop until they set it up.",
    needsOwn: "To turn this on, first {link}.",
    setUpOwn: "set up two-factor authentication for your account",
  },

  notifications: {
    title: "Email notifications",
    hint: "You get at most one email of each kind per hour. You always get emails about your account.",
    kinds: {
      ORDER_OVERPAID: "An order holds money to give back",
      WEBHOOK_ENDPOINT_FAILING: "A webhook endpoint has failed for an hour",
      WEBHOOK_ENDPOINT_SUSPENDED: "A webhook endpoint has failed for a day and will be disabled",
      WEBHOOK_EVENTS_WAITING: "Events wait to be fetched for a day",
      WEBHOOK_ENDPOINT_DISABLED: "A webhook endpoint was disabled",
      WEBHOOK_DELIVERIES_USED_UP: "Webhook deliveries failed on their last attempt",
      WEBHOOK_ENDPOINT_WITHOUT_TOKEN: "The service token of a webhook endpoint has ended",
      API_KEY_NEW_ADDRESS: "An API key was used from a new address",
      CREDENTIAL_EXPIRING: "An API key or service token expires in a week",
      SANDBOX_ENDING: "An unused sandbox will be deleted in a week",
      TRIAL_ENDING: "The trial ends in a week",
    },
  },

  sandboxes: {
    title: "Sandboxes",
    hint: "A sandbox is a shop for the same staff in which nothing is real: test your integration with its API keys and webhooks. It is deleted when nobody uses it for 90 days.",
    open: "Open",
    content: "Content",
    contents: {
      PRODUCTS: "Products of this shop, sample orders",
      SAMPLE: "Sample products and orders",
      EMPTY: "Empty",
    },
    states: {
      FILLING: "Being filled…",
      FAILED: "Filling failed. Reset it to try again.",
    },
    create: {
      action: "Create sandbox",
      title: "Create sandbox",
      text: "It has the settings of this shop, and opens when it is filled.",
    },
    reset: {
      action: "Reset",
      title: "Reset sandbox?",
      text: "Its products, customers, orders and events are deleted and replaced. API keys and webhook endpoints stay.",
    },
  },
};
