/** Texts of failed requests, and the names of plans and roles. */
export const copy = {
  unreachable: "Can’t reach the server",
  emptyResponse: "The server returned an empty response",
  loggedOut: "You’re logged out",
  shopNotFound: "This shop doesn’t exist, or you don’t have access to it",
};

export const planNames = { ENTERPRISE: "Enterprise plan", GROWTH: "Growth plan", TRIAL: "Trial", NONE: "No plan" };

export const roleNames = { OWNER: "Owner", MANAGER: "Manager", CLERK: "Clerk", VIEWER: "Viewer" };

export const roleDescriptions = {
  OWNER: "Owners have full access, including staff, API keys and webhooks.",
  MANAGER: "Managers can view and edit products, orders and customers.",
  CLERK: "Clerks can view products, and view and edit orders and customers.",
  VIEWER: "Viewers can view products, orders and customers.",
};
