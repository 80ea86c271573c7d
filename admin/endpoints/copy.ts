const deliveries = (count: number, shown: string) => `${shown} ${count === 1 ? "delivery" : "deliveries"}`;

/** Texts of the webhook endpoints pages. */
export const copy = {
  title: "Webhook endpoints",
  description:
    "Send events to your servers when something changes in the shop, signed with the endpoint’s secret, or let them fetch the events.",
  add: "Add endpoint",
  quota: "endpoints",
  limitReached:
    "You’ve reached your plan’s limit. Delete an endpoint you no longer use, or contact the operator of this service to change your plan.",
  empty: {
    title: "No endpoints yet",
    text: "Add an endpoint to receive events, for example when an order is placed or a product changes.",
  },
  moreTopics: (topics: string, more: number) => `${topics} and ${more} more`,

  pull: {
    badge: "Fetch",
    behind: "Not fetched",
    waiting: "Waiting events",
    leased: "Leased events",
    leasedHint: "Received, not acknowledged",
    oldest: "Oldest event",
    lastFetched: "Last fetched",
    never: "Never",
    by: (name: string) => `By ${name}`,
    none: "No events wait.",
    backlog: (count: number, shown: string, hours: string) =>
      `${count === 1 ? "1 event waits" : `${shown} events wait`}, the oldest for ${hours} h.`,
    moreThan: (count: string) => `More than ${count}`,
    paused: "This endpoint is paused. Events are stored, and can be fetched when you resume it.",
    activeSwitch: "Let services fetch events",
    test: "Adds an event with sample data, marked with {mark}, for the next service that fetches.",
    testWaits: "Waiting for a service to fetch and acknowledge it…",
    testDone: "A service has fetched and acknowledged the test event.",
    replay: "An event fails if your plan doesn’t include webhooks when it occurs.",
    fetched: (fetched: string, total: string) => `${fetched} of ${total} fetched.`,
    sample: "Fetch events",
    sampleHint:
      "Create a service token with the access {permission}. Save this program as {file}, and run it with Node.js 22.18 or newer: {command}",
    permission: "Fetch webhook events",
    copySample: "Copy program",
  },

  figures: {
    attempts: "Attempts, 24 h",
    failedAttempts: (failures: string) => `${failures} failed`,
    pending: "Pending deliveries",
    pendingHint: "Waiting or retrying",
    failed: "Failed deliveries, 24 h",
    failedHint: "No more attempts",
    slowest: "Slowest hour, 24 h",
    slowestHint: "95th percentile",
    ends: ["24 hours ago", "Now"] as const,
    chart: (attempts: string, failures: string) =>
      `Delivery attempts per hour in the last 24 hours. ${attempts} in total, ${failures} failed.`,
    hour: (hour: string, attempts: string, failures: string) => `${hour}: ${attempts} attempts, ${failures} failed`,
  },

  health: {
    statuses: { HEALTHY: "Healthy", FAILING: "Failing", SUSPENDED: "Suspended", DISABLED: "Disabled" },
    paused: "Paused",
    slow: "Slow",
    pausedText: "This endpoint is paused. Events are stored, and sent when you resume it.",
    slowText:
      "This endpoint responds slowly: more than 5% of attempts in the last 24 hours took over 3 seconds. Return a 2xx status first, then process the event. Attempts time out after 10 seconds. {link}",
    slowLink: "How to respond quickly",
    new: "New",
    nothingSentYet: "Nothing sent yet.",
    sendTest: "Send a test event",
    nothingSent: "Nothing was sent in the last 24 hours.",
    allSucceeded: "All attempts in the last 24 hours succeeded.",
    someFailed: (failures: string, attempts: string) =>
      `The last attempt succeeded. ${failures} of ${attempts} attempts failed in the last 24 hours.`,
    failures: (count: number, shown: string) =>
      count === 1 ? "The last attempt failed." : `The last ${shown} attempts failed.`,
    failingSince: "The first failure was {time}.",
    failingTopics: (topics: readonly { topic: string; failures: number }[]) =>
      topics.length === 1
        ? `All failures are ${topics[0]!.topic}.`
        : `Failures by topic: ${topics.map(({ topic, failures }) => `${topic} ${failures}`).join(", ")}.`,
    stillSending: "Deliveries are still sent.",
    disables: "If all attempts keep failing, the endpoint will be disabled {time} at the earliest.",
    probing:
      "One delivery of each failing topic checks whether it has recovered. Its others wait and lose no attempts. Other topics are still sent.",
    nextProbe: "The next check is {time}.",
    gone: "Disabled {time} because the endpoint responded with 410 Gone.",
    neverSucceeded: "Disabled {time} because all attempts failed for five days.",
    enable: "To enable it, send a successful test event. You can then replay the events it missed.",
  },

  token: {
    statuses: {
      ACTIVE: (name: string) => `The service token “${name}” created this endpoint and manages it.`,
      EXPIRED: (name: string) =>
        `The service token “${name}”, which managed this endpoint, has expired. The endpoint still gets events. Take it over, or delete it.`,
      REVOKED: (name: string) =>
        `The service token “${name}”, which managed this endpoint, was revoked. The endpoint still gets events. Take it over, or delete it.`,
    },
    takeOver: "Take over",
    takenOver: "Endpoint taken over",
  },

  endpoint: "Webhook endpoint",
  notFound: "This endpoint doesn’t exist, or it was deleted",
  edit: "Edit",
  moreActions: "More actions",
  delete: "Delete",
  activeSwitch: "Send events",
  viewDeliveries: "View deliveries",
  details: "Details",
  topics: "Topics",
  headers: "Headers",
  headerNames: (names: string) => `${names} (values hidden)`,
  noHeaders: "None",
  created: "Created",
  createdBy: "{time} by {name}",
  id: "Endpoint ID",
  copyId: "Copy endpoint ID",

  fields: {
    way: "Delivery",
    ways: { push: "Send to a URL", pull: "Fetch" },
    wayHints: {
      push: "The shop sends each event to your server.",
      pull: "Your system asks for events. It needs no public address.",
    },
    url: "URL",
    urlHint: "The HTTPS address on your server that receives events.",
    description: "Description (optional)",
    descriptionHint: "What you use the endpoint for, such as “Warehouse stock”.",
    topics: "Topics",
    allTopics: "All topics",
    headers: "Headers",
    headersHint: "Sent with every delivery. You can’t view the values again.",
    headerName: (number: number) => `Name ${number}`,
    headerValue: (number: number) => `Value ${number}`,
    addHeader: "Add header",
    removeHeader: (number: number) => `Remove header ${number}`,
    replaceHeaders: (names: string) => `Replace headers: ${names}`,
  },

  filters: {
    fields: "Only when these fields change",
    fieldsHint: "A topic with none of them chosen sends every change.",
    actors: "Leave out changes made by",
    inactive: "(no longer active)",
    actorsHint: "For a system that would receive its own changes. A rotated API key’s successor is left out too.",
  },

  emptyFields: { topics: "Choose at least one topic" },

  createTitle: "Add webhook endpoint",
  createDone: "Endpoint added",
  secretHint: "Verify with this secret that deliveries come from this shop. Store it on the server that receives them.",
  editTitle: "Edit endpoint",
  save: "Save",
  editDone: "Endpoint updated",
  deleteTitle: "Delete this endpoint?",
  deleteText: (url: string) =>
    `Events will no longer be sent to ${url}, and pending deliveries will fail. Deliveries stay in the log for 30 days, but you can’t replay them. You can’t undo this.`,
  deletePullText: (name: string) =>
    `Services can no longer fetch events from ${name}, and waiting events will fail. Events stay in the log for 30 days, but you can’t replay them. You can’t undo this.`,
  deleteSubmit: "Delete endpoint",
  deleteDone: "Endpoint deleted",

  secret: {
    title: "Signing secret",
    rotate: "Rotate secret",
    single: "All deliveries are signed with one secret.",
    overlap: "Deliveries are signed with both secrets. The old secret expires {time}.",
    waiting:
      "{standard} contains signatures from both secrets. {legacy} uses the old secret and switches to the new one {time}.",
    activate: "Use the new secret now",
    activated: "New secret activated",
    rotateTitle: "Rotate signing secret",
    rotateSubmit: "Create new secret",
    rotated: "New signing secret",
    old: "Old secret expires",
    oldHint: "Until then, webhook-signature contains a signature for each secret.",
    legacy: "X-Webhook-Signature",
    legacyHint: "This header contains one signature. You can choose when it switches to the new secret.",
    delaySwitch: "Use the old secret until I switch or it expires",
  },

  testEvent: {
    title: "Test event",
    text: "Sends sample data once with the header {header}, even when the endpoint is paused.",
    topic: "Test event topic",
    send: "Send test event",
    sending: "Sending…",
  },

  receiverCheck: {
    title: "Receiver check",
    start: "Check this receiver",
    text: "Sends valid and invalid test deliveries, 13 in total, and checks each response.",
    check: "Check",
    result: "Result",
    finding: "Details",
    passed: "Passed",
    failed: "Failed",
    notRun: "Not run",
  },

  explanation: {
    title: "Why did an event not come?",
    text: "Shows the latest events of an order, a product or a customer, and why this endpoint got them or not. Events that were left out are judged by today’s settings. The endpoint last changed {time}.",
    recordId: "ID of the order, product or customer",
    invalid: "Enter the ID of an order, a product or a customer. Copy it from the page of the record.",
    none: "No events. The search covers the shop’s last 100,000 events, for 30 days. An import can change records without events.",
    event: "Event",
    time: "Time",
    answer: "Answer",
    delivered: "Delivered.",
    deliveredAt: "Delivered {time}.",
    failed: (error: string) => `Failed: ${error}.`,
    reasons: {
      ADDED_LATER: "Left out: the endpoint was added later.",
      NOT_SUBSCRIBED: "Left out: the endpoint doesn’t subscribe to this topic.",
      OTHER_FIELDS: "Left out: none of your chosen fields changed, only {changed}.",
      IGNORED_ACTOR: "Left out: the change was made by {actor}.",
      OTHER_SETTINGS: "Left out: the endpoint had other settings then.",
    },
  },

  replay: {
    title: "Replay failed deliveries",
    period: "Period",
    periods: {
      "1": "Last hour",
      "24": "Last 24 hours",
      "168": "Last 7 days",
      "720": "Last 30 days",
    },
    counting: "Counting…",
    submit: (count: number, shown: string) => `Replay ${deliveries(count, shown)}`,
    disabled: "The endpoint is disabled. To enable it, send a successful test event.",
    text: "A delivery fails when its last attempt fails. Deliveries that are still retried are pending.",
    none: "No deliveries failed in this period.",
    queued: (count: number, shown: string) => `${deliveries(count, shown)} queued.`,
    remaining: (remaining: string) => `${remaining} remaining: replay again.`,
    progress: "Replay progress",
    attempted: (sent: string, total: string) => `${sent} of ${total} attempted.`,
    times: "Started {started}. The last attempt is due {last}.",
  },
};
