/** Texts of the overview. */
export const copy = {
  title: "Home",
  viewAll: "View all",

  firstSteps: {
    title: "First steps",
    product: { action: "Add or import products", reason: "Tills and storefronts sell what is in your catalog." },
    tax: { action: "Set the tax rate", reason: "Until then, orders are sold without tax." },
    key: { action: "Create an API key", reason: "Your website or ERP reads products and orders with it." },
    endpoint: { action: "Add a webhook endpoint", reason: "Your systems learn of each order at once." },
    invite: { action: "Invite a colleague", reason: "You choose the role of each person." },
  },

  orders: {
    title: "Orders",
    salesToday: "Sales today",
    salesOfWeek: "Sales, last 7 days",
    afterRefunds: "after refunds",
    today: "Today",
    count: (count: number, shown: string) => `${shown} ${count === 1 ? "order" : "orders"}`,
    unfulfilled: "Unfulfilled",
    paymentDue: "Payment due",
    recent: "Last 30 days",
    toGiveBack: "To give back",
    overpaid: "Overpaid orders",
    chart: (orders: string, amount: string) =>
      `Sales per day in the last 7 days, after refunds. ${orders}, ${amount} in total.`,
    day: (day: string, orders: string, amount: string) => `${day}: ${orders}, ${amount}`,
  },

  deliveries: {
    title: "Webhook deliveries",
    attempts: "Attempts, 24 h",
    failures: "Failed attempts, 24 h",
    pending: "Pending",
    none: "No webhook endpoints yet.",
    add: "Add an endpoint",
  },

  attention: {
    title: "Keys and endpoints",
    none: "No key or endpoint needs your attention.",
    expires: "Expires {time}",
    unused: "Never used",
  },

  plan: {
    keys: "API keys",
    endpoints: "webhook endpoints",
    trialEnds: "Trial ends {time}",
  },

  lowStock: {
    title: "Low stock",
    none: (atMost: number) => `Every product for sale has more than ${atMost} units in stock.`,
    noProducts: "No products yet.",
  },
};
