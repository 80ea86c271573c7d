/** Texts of the frame around all pages: navigation, access and connection. */
export const copy = {
  skipToContent: "Skip to content",
  menu: "Menu",
  close: "Close",
  pages: "Pages",
  shop: "Shop",
  logOut: "Log out",

  navigation: {
    home: "Home",
    orders: "Orders",
    products: "Products",
    customers: "Customers",
    stock: "Stock",
    developers: "Developers",
    keys: "API keys",
    endpoints: "Webhook endpoints",
    deliveries: "Deliveries",
    requests: "Requests",
    tokens: "Service tokens",
    reference: "API reference",
    settings: "Settings",
    shopSettings: "Shop settings",
    members: "Members",
    audit: "Audit log",
    account: "Account settings",
    changelog: "What’s new",
  },

  noAccess: {
    title: "You don’t have access to this page",
    text: (shop: string, role: string) => `Your role at ${shop} is ${role}. Ask an owner to change your role.`,
    noRole: "none",
    secondFactorTitle: "Two-factor authentication required",
    secondFactorText: (shop: string) => `${shop} requires two-factor authentication. Set it up to continue.`,
    setUp: "Set up two-factor authentication",
  },

  shortcuts: {
    title: "Keyboard shortcuts",
    use: "Use keyboard shortcuts in this browser",
    hint: "Leave them off if you use speech input: spoken words would open pages.",
    search: "Search on this page",
    show: "Show keyboard shortcuts",
  },

  planEnded: {
    trial: "The trial ended {time}.",
    noPlan: "This shop has no plan.",
    text: "API keys don’t work and webhooks aren’t sent. To choose a plan, contact the operator of this service.",
  },

  sandbox: {
    notice: "This is a sandbox. Nothing in it is real, and it sends no email.",
    filling: "This sandbox is being filled",
    fillingText: "It opens in a moment, or in some minutes if it has many products.",
  },

  unreachable: "Can’t reach the server. This page may be out of date. Retrying…",
  pageNotFound: { title: "Page not found", text: "Check the address and try again." },
  noShop: { title: "You’re not a member of any shop", text: "Ask a shop owner to invite you." },
  toYourShop: "Go to your shop",
};
