import type { ErrorClass } from "../../core/model/webhooks/error-class.ts";

/** A failed connection. The message is for the receiver's staff and names no address. */
export class ConnectFailure extends Error {
  constructor(
    readonly errorClass: ErrorClass,
    message: string,
  ) {
    super(message);
  }
}

/**
 * A temporary fault of this process or machine that does not involve the receiver: no free file descriptors,
 * failing name servers, or a failing proxy.
 */
export class OwnFault extends Error {}

/** Socket errors caused by this machine, with any target. */
const codes = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "ENETDOWN", "EADDRNOTAVAIL"]);

/** The error as an own fault. Undefined when the target may have caused it. */
export function ownFaultOf(error: unknown): OwnFault | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  return code !== undefined && codes.has(code) ? new OwnFault(message, { cause: error }) : undefined;
}

/** DNS error codes, explained for staff. */
const ofNames: Record<string, string> = {
  ENOTFOUND: "The host name does not exist",
  ENODATA: "The host name has no address",
  ESERVFAIL: "The name servers of the host failed",
  EREFUSED: "The name servers of the host refused to respond",
  ETIMEOUT: "The name servers of the host did not respond in time",
  ECANCELLED: "The name servers of the host did not respond in time",
};

/** Error codes of Node, OpenSSL and undici, explained for staff. */
const ofConnections: Record<string, string> = {
  ECONNREFUSED: "The server refused the connection",
  ECONNRESET: "The server reset the connection",
  ECONNABORTED: "The connection was interrupted",
  EPIPE: "The server closed the connection before reading the request",
  ETIMEDOUT: "The server stopped responding",
  EHOSTUNREACH: "There is no route to the server",
  ENETUNREACH: "There is no route to the network of the server",

  CERT_HAS_EXPIRED: "The certificate has expired",
  CERT_NOT_YET_VALID: "The certificate is not valid yet",
  CERT_REVOKED: "The certificate was revoked",
  CERT_SIGNATURE_FAILURE: "The signature of the certificate is wrong",
  CERT_UNTRUSTED: "The certificate's authority is not trusted",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "The certificate's authority is not trusted",
  UNABLE_TO_GET_ISSUER_CERT: "An intermediate certificate is missing, or its authority is unknown",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "An intermediate certificate is missing, or its authority is unknown",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "An intermediate certificate is missing, or its authority is unknown",
  INVALID_CA: "A certificate in the chain is not allowed to sign certificates",
  INVALID_PURPOSE: "The certificate is not for a server",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is for another host",
  ERR_SSL_WRONG_VERSION_NUMBER: "The server does not use TLS on this port",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "The server does not use TLS on this port",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "The server supports no secure version of TLS",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "The server supports no secure version of TLS",
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: "The server does not know the host name",
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: "The server requires a client certificate",
  ERR_SSL_DH_KEY_TOO_SMALL: "The key of the server is too short",
  ERR_SSL_EE_KEY_TOO_SMALL: "The key of the certificate is too short",

  UND_ERR_HEADERS_OVERFLOW: "The response has more than 16 KiB of headers",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "The response has a wrong or repeated Content-Length, or one with chunks",
  ERR_ASSERTION: "The response status is not valid",
  UND_ERR_INFO: "The connection was interrupted",
};

/** Errors without a code, by undici's message or the parser's reason. */
const ofAnswers: Record<string, string> = {
  "other side closed": "The server closed the connection before the end of the response",
  "bad upgrade": "The response switches to another protocol",
  "bad response": "The server sent a response without a request",
  "Expected HTTP/, RTSP/ or ICE/": "The response is not HTTP/1.1",
  "Invalid HTTP version": "The response is not HTTP/1.1",
  "Expected dot": "The response is not HTTP/1.1",
  "Invalid status code": "The response status is not a three-digit number",
  "Invalid response status": "The response status is not a three-digit number",
  "Invalid header token": "A response header has an invalid character in its name",
  "Invalid header value char": "A response header has an invalid character",
  "Unexpected whitespace after header value": "A response header continues on another line",
  "Unexpected space after start line": "A response header starts with a space",
  "Empty Content-Length": "The Content-Length of the response is not a number",
  "Invalid character in Content-Length": "The Content-Length of the response is not a number",
  "Content-Length overflow": "The Content-Length of the response is too large",
  "Content-Length can't be present with Transfer-Encoding": "The response has Content-Length and Transfer-Encoding",
  "Transfer-Encoding can't be present with Content-Length": "The response has Content-Length and Transfer-Encoding",
  "Invalid character in chunk size": "A chunk of the response body has an invalid size",
  "Chunk size overflow": "A chunk of the response body is too large",
  "Missing expected CR after chunk size": "A line of the response does not end with CR and LF",
  "Missing expected CR after chunk data": "A chunk of the response body is longer than its size",
  "Expected LF after chunk data": "A chunk of the response body is longer than its size",
  "Invalid character in chunk extensions name": "A chunk of the response body has an invalid extension",
  "Data after `Connection: close`": "The server sent more data after the end of the response",
  "Missing expected CR after response line": "A line of the response does not end with CR and LF",
  "Missing expected CR after header value": "A line of the response does not end with CR and LF",
  "Missing expected LF after header value": "A line of the response does not end with CR and LF",
  "Expected LF after CR": "A line of the response does not end with CR and LF",
};

/** Describes a failed DNS look-up in one sentence. */
export function describeLookupFailure(error: unknown): string {
  const code = codeOf(error);
  return ofNames[code] ?? `The host name could not be looked up (${code})`;
}

/** Describes a failed connection or answer in one sentence. */
export function describeFailure(error: unknown): string {
  const code = codeOf(error);
  const { message } = error as Error;
  const reason = /\((.+)\)$/.exec(message)?.[1] ?? message;
  const sentence = ofConnections[code] ?? ofAnswers[reason];
  if (sentence !== undefined) return sentence;
  if (code.startsWith("ERR_SSL") || code.startsWith("ERR_TLS")) return `The TLS handshake failed (${code})`;
  return code === "HTTPParserError" || code.startsWith("HPE_")
    ? `The response is not valid HTTP/1.1 (${reason})`
    : `The connection failed (${code})`;
}

/** The code of an error, or its name. */
export function codeOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return code === undefined ? name : String(code);
}
