/** Texts of the API reference at /docs. Texts about routes and topics come from the OpenAPI document. */
export const copy = {
  loadFailed: (status: number) => `Can’t load the OpenAPI document (status ${status})`,
  contents: "Contents",
  version: (version: string) => `Version ${version}`,
  document: "OpenAPI document",
  admin: "Admin",
  explorer: "GraphQL explorer",
  authentication:
    "Send an API key of the shop as {header}. Create keys in Admin, and use them only on your servers, never in a browser or an app.",
  copyOf: (label: string) => `Copy: ${label}`,

  parameters: {
    caption: (operation: string) => `Parameters of ${operation}`,
    name: "Parameter",
    description: "Description",
    value: "Value",
    valueOf: (name: string, operation: string) => `${name} of ${operation}`,
    optional: "optional",
  },
  body: "Body",
  bodyOf: (operation: string) => `Body of ${operation}`,
  language: (operation: string) => `Language of ${operation}`,
  sample: (operation: string, language: string) => `${operation} in ${language}`,
  responses: "Responses",
  responseOf: (status: string, operation: string) => `${status} of ${operation}`,

  tryIt: {
    open: "Try it",
    key: "API key",
    keyHint: "Use a read-only key that expires soon. This page doesn’t store it.",
    send: (method: string) => `Send ${method}`,
    unreachable: "Can’t reach the server",
    response: "Response",
    details: (milliseconds: number, requestId: string | null) => `${milliseconds} ms · request ${requestId}`,
  },

  schema: {
    fieldsOf: (name: string) => `Fields of ${name}`,
    oneOf: (values: string) => `One of ${values}`,
    minimum: (value: number) => `at least ${value}`,
    maximum: (value: number) => `at most ${value}`,
    minLength: (length: number) => `at least ${length} ${length === 1 ? "character" : "characters"}`,
    maxLength: (length: number) => `at most ${length} characters`,
    maxItems: (count: number) => `at most ${count} items`,
    default: (value: unknown) => `default: ${value === "" ? "empty" : JSON.stringify(value)}`,
    arrayOf: (type: string) => `array of ${type}`,
    orNull: (type: string) => `${type} or null`,
    object: "object",
    value: "value",
  },

  webhooks: {
    title: "Webhooks",
    text: "Events are sent as signed POST requests to the endpoints that subscribe to their topic. Respond with a 2xx status within 10 seconds. Other deliveries are retried. Deliveries can arrive more than once and in any order.",
    headersCaption: "Headers of a delivery",
    header: "Header",
    description: "Description",
    answeringTitle: "Respond quickly",
    answering:
      "Store the event, respond with 204, and then do the work. An endpoint gets at most 20 attempts at a time: if it takes 2 seconds to respond, it gets at most 10 deliveries per second. Attempts time out after 10 seconds. Ten failures in a row suspend the endpoint. Admin shows an endpoint as slow when it had 20 or more attempts in the last 24 hours and their 95th percentile is over 3 seconds.",
    verificationTitle: "Verify signatures",
    verification:
      "Anyone who knows an endpoint’s address can send requests to it. Accept only requests with a valid signature and a recent timestamp.",
    typescript: "A receiver in TypeScript",
    python: "A receiver in Python",
    bodyOf: (topic: string) => `Body of ${topic}`,
  },
};
