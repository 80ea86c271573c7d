/** Names of the API's constants on pages. */
export const planNames = { ENTERPRISE: "Enterprise plan", GROWTH: "Growth plan", TRIAL: "Trial", NONE: "No plan" };
export const roleNames = { OWNER: "Owner", MANAGER: "Manager", CLERK: "Clerk", VIEWER: "Viewer" };
export const roleDuties = {
  OWNER: "does everything: staff, API keys and webhook endpoints too",
  MANAGER: "sees and changes products, orders and customers",
  CLERK: "sees products, and sees and changes orders and customers",
  VIEWER: "sees products, orders and customers",
};

/** Such as "Order placed" for `ORDER_PLACED`. */
export const sayConstant = (constant: string) => {
  const words = constant.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};
