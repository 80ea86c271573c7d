/** Why a delivery, or an attempt of it, failed. */
export enum ErrorClass {
  /** The receiver answered, with something else than 2xx. */
  HTTP_STATUS = "HTTP_STATUS",
  /** No connection, or no whole answer, in time. */
  TIMEOUT = "TIMEOUT",
  /** The name leads to no address. */
  DNS = "DNS",
  /** The connection was refused, or broke before the answer was whole. */
  CONNECTION = "CONNECTION",
  /** No secure connection, or a certificate that is not valid for the name. */
  TLS = "TLS",
  /** The URL, or an address that its name leads to, is not one that we send to. */
  TARGET_REFUSED = "TARGET_REFUSED",
  /** What came back is not HTTP. */
  PROTOCOL = "PROTOCOL",
  /** It was not attempted, or not again: the endpoint is disabled. Never of an attempt. */
  ENDPOINT_DISABLED = "ENDPOINT_DISABLED",
}

/** What a delivery to a disabled endpoint says. */
export const ENDPOINT_DISABLED_ERROR = "The endpoint is disabled";
