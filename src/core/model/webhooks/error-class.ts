import { registerEnumType } from "type-graphql";

/** Why an attempt failed, or why a delivery failed without one. */
export enum ErrorClass {
  /** The receiver responded with a status other than 2xx. */
  HTTP_STATUS = "HTTP_STATUS",
  /** No connection, or no complete response, in time. */
  TIMEOUT = "TIMEOUT",
  /** The host name has no address. */
  DNS = "DNS",
  /** The connection was refused, or closed before the response was complete. */
  CONNECTION = "CONNECTION",
  /** The TLS handshake failed, or the certificate is not valid for the name. */
  TLS = "TLS",
  /** The URL, or an address of its host name, is not allowed. */
  TARGET_REFUSED = "TARGET_REFUSED",
  /** The response is not HTTP. */
  PROTOCOL = "PROTOCOL",
  /** The endpoint was disabled, so nothing was sent. */
  ENDPOINT_DISABLED = "ENDPOINT_DISABLED",
  /** The shop's plan did not include the API, so nothing was sent. */
  PLAN = "PLAN",
}

registerEnumType(ErrorClass, {
  name: "WebhookErrorClass",
  description: "The reason why a delivery or an attempt failed.",
  valuesConfig: {
    HTTP_STATUS: { description: "The receiver responded with a status other than 2xx." },
    TIMEOUT: { description: "The attempt took longer than 10 seconds." },
    DNS: { description: "The host name has no address." },
    CONNECTION: { description: "The connection was refused, or closed before the response was complete." },
    TLS: { description: "The TLS handshake failed, or the certificate is not valid for the host name." },
    TARGET_REFUSED: { description: "The URL, or an address of its host name, is not allowed." },
    PROTOCOL: { description: "The response is not valid HTTP." },
    ENDPOINT_DISABLED: { description: "The endpoint was disabled, so nothing was sent." },
    PLAN: { description: "The shop's plan did not include webhooks, or its trial had ended, so nothing was sent." },
  },
});

/** The errors of deliveries that failed without an attempt. */
export const undeliverableErrors = {
  [ErrorClass.ENDPOINT_DISABLED]: "The endpoint is disabled",
  [ErrorClass.PLAN]: "The shop's plan does not include webhooks",
};

/** SQL: the error of a delivery for the class in `column`. */
export const undeliverableError = (column: string) =>
  `case ${column} ${Object.entries(undeliverableErrors)
    .map(([errorClass, error]) => `when '${errorClass}' then '${error.replaceAll("'", "''")}'`)
    .join(" ")} end`;
