/** DNS error codes, explained for staff. */
const ofNames: Record<string, string> = {
  ENOTFOUND: "The host name does not exist",
  ENODATA: "The host name has no address",
  ESERVFAIL: "The name servers of the host failed",
  EREFUSED: "The name servers of the host refused to answer",
  ETIMEOUT: "The name servers of the host did not answer in time",
  ECANCELLED: "The name servers of the host did not answer in time",
};

/** Error codes of Node, OpenSSL and undici, explained for staff. */
const ofConnections: Record<string, string> = {
  ECONNREFUSED: "The server refused the connection",
  ECONNRESET: "The server reset the connection",
  ECONNABORTED: "The connection was broken off",
  EPIPE: "The server closed the connection before it had read the request",
  ETIMEDOUT: "The server stopped answering on the connection",
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
  INVALID_CA: "A certificate of the chain may not sign others",
  INVALID_PURPOSE: "The certificate is not for a server",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is for another host",
  ERR_SSL_WRONG_VERSION_NUMBER: "The server does not speak TLS at this port",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "The server does not speak TLS at this port",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "The server supports no version of TLS that is safe",
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "The server supports no version of TLS that is safe",
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: "The server does not know the host name",
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: "The server asks for a client certificate",
  ERR_SSL_DH_KEY_TOO_SMALL: "The key of the server is too short",
  ERR_SSL_EE_KEY_TOO_SMALL: "The key of the certificate is too short",

  UND_ERR_HEADERS_OVERFLOW: "The answer has more than 16 KiB of headers",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "The answer has a wrong Content-Length, has it twice, or has it beside chunks",
  UND_ERR_INFO: "The connection was broken off",
};

/** Errors without a code of their own, by undici's message or the parser's reason. */
const ofAnswers: Record<string, string> = {
  "other side closed": "The server closed the connection before the end of its answer",
  "bad upgrade": "The answer switches to another protocol",
  "bad response": "The server sent a response without a request",
  "Expected HTTP/, RTSP/ or ICE/": "The answer is not HTTP/1.1",
  "Invalid HTTP version": "The answer is not HTTP/1.1",
  "Invalid status code": "The status of the answer is not a number of three digits",
  "Invalid header token": "A header of the answer has a name with a character that is not allowed",
  "Invalid header value char": "A header of the answer has a character that is not allowed",
  "Content-Length already present": "The answer has two Content-Length headers",
  "Invalid character in Content-Length": "Content-Length of the answer is not a number",
  "Content-Length overflow": "Content-Length of the answer is too large",
  "Content-Length can't be present with Transfer-Encoding": "The answer has Content-Length and Transfer-Encoding",
  "Transfer-Encoding can't be present with Content-Length": "The answer has Content-Length and Transfer-Encoding",
  "Invalid character in chunk size": "A chunk of the answer's body has no valid size",
  "Chunk size overflow": "A chunk of the answer's body is too large",
  "Missing expected CR after response line": "A line of the answer does not end with CR and LF",
  "Missing expected CR after header value": "A line of the answer does not end with CR and LF",
  "Missing expected LF after header value": "A line of the answer does not end with CR and LF",
  "Expected LF after CR": "A line of the answer does not end with CR and LF",
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
    ? `The answer is not valid HTTP/1.1 (${reason})`
    : `The connection failed (${code})`;
}

function codeOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return code === undefined ? name : String(code);
}
