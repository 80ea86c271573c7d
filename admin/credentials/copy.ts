/** Texts that API keys and service tokens share. */
export const copy = {
  name: "Name",
  status: "Status",
  anyStatus: "Any status",
  secret: "Secret",
  access: "Access",
  lastUsed: "Last used",
  never: "Never",
  created: "Created",
  statuses: { ACTIVE: "Active", EXPIRED: "Expired", REVOKED: "Revoked" },
  expires: "Expires {time}",
  actionsFor: (name: string) => `Actions for ${name}`,
  chooseStatus: "Choose another status.",

  read: (resource: string) => `Read ${resource}`,
  write: (resource: string) => `Write ${resource}`,
  rights: { READ: "read", WRITE: "write" },
  allResources: "all data",
  resources: { PRODUCTS: "products", ORDERS: "orders", CUSTOMERS: "customers", INVENTORY: "inventory" },

  lifetime: {
    label: "Expires",
    never: "Never",
    day: "In 1 day",
    days: (days: number) => `In ${days} days`,
    year: "In 1 year",
  },

  overlap: { now: "Immediately", hour: "In 1 hour", day: "In 1 day", week: "In 1 week" },

  emptyFields: { name: "Enter a name" },
  rename: "Rename",
  renameTitle: (name: string) => `Rename ${name}`,
  revoke: "Revoke",
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeUnused: "It has never been used. You can’t undo this.",
  revokeUsed: "Last used {time}. Requests that use it will be refused. You can’t undo this.",
};
