import { enumType } from "../enum-type.ts";

/** Why an attempt failed, or why a delivery failed without one. */
export const ErrorClass = enumType("WebhookErrorClass", "The reason why a delivery or an attempt failed.", {
  HTTP_STATUS: "The receiver responded with a status other than 2xx.",
  TIMEOUT: "The attempt took longer than 10 seconds.",
  DNS: "The host name has no address.",
  CONNECTION: "The connection was refused, or closed before the response was complete.",
  TLS: "The TLS handshake failed, or the certificate is not valid for the host name.",
  TARGET_REFUSED: "The URL, or an address of its host name, is not allowed.",
  PROTOCOL: "The response is not valid HTTP.",
  ENDPOINT_DISABLED: "The endpoint was disabled, so nothing was sent.",
  PLAN: "The shop's plan did not include webhooks, or its trial had ended, so nothing was sent.",
});
export type ErrorClass = keyof typeof ErrorClass;

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
