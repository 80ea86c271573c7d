/** Texts of the log of requests. */
export const copy = {
  title: "Requests",
  description: "Requests to the REST API in the last 30 days.",
  filters: {
    id: "Request ID",
    path: "Path, such as /products",
    status: "Status",
    anyStatus: "Any status",
    clientErrors: "Client errors (4xx)",
    serverErrors: "Server errors (5xx)",
    key: "API key",
    anyKey: "Any key",
    clearKey: "Show requests with any key",
  },
  noMatch: {
    title: "No matching requests",
    text: "Enter the full path after the shop’s ID, or a route, or change the filters.",
  },
  empty: { title: "No requests yet", text: "Requests appear here a few seconds after they use an API key." },
  columns: { request: "Request", status: "Status", key: "API key", time: "Time", duration: "Duration" },
  onlyThisKey: "Show only requests with this key",
  keyName: (name: string, lastCharacters: string) => `${name} (…${lastCharacters})`,

  panel: {
    title: "API requests",
    viewAll: "View all",
    now: "Now",
    period: "Period",
    periods: { day: "Last 24 hours", week: "Last 7 days" },
    requests: "Requests",
    clientErrors: "Client errors (4xx)",
    serverErrors: "Server errors (5xx)",
    describe: (time: string, requests: string, errors: string) =>
      `${time}: ${requests} requests, ${errors} with an error`,
  },

  request: "Request",
  unavailable: "Can’t show this request",
  notFound: {
    title: "No request with this ID",
    text: "It may be more than 30 days old, belong to another shop or not be logged yet.",
  },
  status: "Status",
  id: "Request ID",
  copyId: "Copy request ID",
  time: "Time",
  duration: "Duration",
  route: "Route",
  key: "API key",
  record: "Record",
  response: "Response",
  responseBody: "Response body",
};
