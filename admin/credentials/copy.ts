export const assistant = {
  connect: "Connect an assistant",
  description:
    "Claude, Codex and other MCP clients can work with this shop. They can do what their key or token allows.",
  address: "Address",
  copyAddress: "Copy the address",
  client: "Client",
  copySnippet: "Copy the configuration",
  hint: {
    apiKey: "Put an API key in place of <key>. Its scopes decide what the assistant can do.",
    service: "Put a service token in place of <token>. Its permissions decide what the assistant can do.",
  },
};

/** Texts that API keys and service tokens share. */
export const copy = {
  name: "Name",
  status: "Status",
  anyStatus: "Any status",
  secret: "Secret",
  access: "Access",
  lastUsed: "Last used",
  never: "Never",
  createdAt: "Created",
  createdBy: "{time} by {name}",
  statuses: { ACTIVE: "Active", EXPIRED: "Expired", REVOKED: "Revoked" },
  expires: "Expires {time}",
  actionsFor: (name: string) => `Actions for ${name}`,
  chooseStatus: "Choose another status.",
  created: (name: string) => `${name} created`,

  read: (resource: string) => `Read ${resource}`,
  write: (resource: string) => `Write ${resource}`,
  withoutRoute: (right: string) => `${right} (opens no route yet)`,
  rights: { READ: "read", WRITE: "write" },
  onlyRights: {
    EVENTS: { label: "Fetch webhook events", tag: ["webhook events", "fetch"] },
    LOGS: { label: "Read logs and webhook deliveries", tag: ["logs", "read"] },
    DELIVERIES: { label: "Replay webhook deliveries", tag: ["webhook deliveries", "replay"] },
    ENDPOINTS: { label: "Manage its own webhook endpoints", tag: ["own webhook endpoints", "manage"] },
  } as const,
  allResources: "all data",
  resources: {
    PRODUCTS: "products",
    ORDERS: "orders",
    CUSTOMERS: "customers",
    INVENTORY: "inventory",
  },

  lifetime: {
    label: "Expires",
    never: "Never",
    day: "In 1 day",
    days: (days: number) => `In ${days} days`,
    year: "In 1 year",
  },

  overlap: { now: "Immediately", hour: "In 1 hour", day: "In 1 day", week: "In 1 week" },

  rename: "Rename",
  renameTitle: (name: string) => `Rename ${name}`,
  revoke: "Revoke",
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeUnused: "It has never been used. You can’t undo this.",
  revokeUsed: "Last used {time}. Requests that use it will be refused. You can’t undo this.",
  keepsEndpoints: "Its webhook endpoints go on until you delete them.",
};

export const keys = {
  title: "API keys",
  description: "Authenticate requests to the REST API. Keep keys on your servers, never in a browser or an app.",
  create: "Create key",
  quota: "API keys",
  limitReached:
    "You’ve reached your plan’s limit. Revoke a key you no longer use, or contact the operator of this service to change your plan.",
  safeToRevoke: "Safe to revoke",
  empty: { title: "No API keys yet", text: "Create a key to give one of your servers access to the shop’s data." },
  noMatch: "No API keys with this status",

  createTitle: "Create API key",
  nameHint: "Where you’ll use the key, such as “ERP connector”.",
  emptyFields: { name: "Enter a name", scopes: "Choose what the key can access" },
  accessHint: "Your plan doesn’t include the disabled options.",
  secretHint:
    "Copy the key to your server. Anyone with the key can use its access, so never put it in a browser or an app.",

  example: {
    title: "Send your first request",
    copy: "Copy the request",
    reference: "API reference",
  },

  rotate: "Rotate",
  rotateTitle: (name: string) => `Rotate ${name}`,
  rotateText: "Creates a new key with the same access.",
  rotateSubmit: "Rotate key",
  rotated: (name: string) => `${name} rotated`,
  oldKey: "Old key expires",
  oldKeyHint: "Until then, both keys work.",

  notFound: "No API key with this ID",
  safe: "Safe to revoke?",
  safeAnswers: { yes: "Yes, probably", no: "No" },
  unusedFor: "Last used {time}.",
  usedBy: "Used {time} by {agent} from {address}.",
  notUsed: "Not used yet. Revoking it breaks nothing that works today.",
  unusedScopes: "Scopes not used",
  none: "None",
  scopes: "Scopes",
  clients: {
    empty: "No requests yet.",
    emptyLog: "No requests in the last 30 days.",
    title: "Clients",
    hint: "Addresses and user agents in the log of the last 30 days, the latest 50. Choose one to see its requests.",
    partial: "The log starts {time}, because the shop has more requests than it keeps.",
    address: "IP address",
    userAgent: "User agent",
    first: "First use",
    requests: "Requests",
    unknown: "Unknown",
  },
  allowed: {
    title: "Allowed addresses",
    any: "Any",
    edit: "Edit allowed addresses",
    optional: "Allowed addresses (optional)",
    label: "Addresses and networks, one per line",
    hint: "Such as 203.0.113.5 or 203.0.113.0/24. Leave empty to allow any address.",
    refused: (refused: string, requests: string) => `Would have refused ${refused} of the last ${requests} requests`,
    from: (addresses: string) => `, such as from ${addresses}`,
    save: "Save",
    saved: "Allowed addresses saved",
  },

  renamed: "Key renamed",
  revoke: "Revoke key",
  revoked: "Key revoked",
};

export const tokens = {
  title: "Service tokens",
  description: "Authenticate your own services to the GraphQL API, such as tills and storefronts.",
  create: "Create token",
  empty: {
    title: "No service tokens yet",
    text: "Create a token to give one of your services access to this shop’s data.",
  },
  noMatch: "No service tokens with this status",

  createTitle: "Create service token",
  nameHint: "The service that will use the token, such as “Till 3”.",
  emptyFields: { name: "Enter a name", permissions: "Choose what the token can access" },
  accessHint:
    "Orders include customers’ names and email addresses. Topics of webhook endpoints need read access to their records. Service tokens can’t access settings.",
  secretHint: "Copy the token to your service. The service sends it to /graphql as Authorization: Bearer.",

  renamed: "Token renamed",
  revoke: "Revoke token",
  revoked: "Token revoked",
};
