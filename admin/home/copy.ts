/** Texts of the overview. */
export const copy = {
  title: "Home",
  viewAll: "View all",

  orders: {
    title: "Orders",
    today: "Today",
    week: "Last 7 days",
    count: (count: number, shown: string) => `${shown} ${count === 1 ? "order" : "orders"}`,
    unfulfilled: "Unfulfilled",
    unpaid: "Unpaid",
    recent: "Last 30 days",
    chart: (orders: string, amount: string) => `Orders per day in the last 7 days. ${orders}, ${amount} in total.`,
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
    none: "Nothing needs your attention.",
    expires: "Expires {time}",
    unused: "Never used",
  },

  plan: {
    title: "Plan",
    keys: "API keys",
    endpoints: "webhook endpoints",
    trialEnds: "Trial ends {time}",
  },

  lowStock: {
    title: "Low stock",
    none: (atMost: number) => `Every product for sale has more than ${atMost} units in stock.`,
    units: (shown: string) => `${shown} in stock`,
  },
};
