/** Why an attempt of a delivery failed. */
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
}
