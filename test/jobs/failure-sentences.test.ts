import { expect } from "chai";
import { errors } from "undici";
import { describeFailure, describeLookupFailure } from "../../src/jobs/transport/failures.ts";

const coded = (code: string) => Object.assign(new Error(`it failed: ${code}`), { code });
const parserError = (reason: string) =>
  new errors.HTTPParserError(`Response does not match the HTTP/1.1 protocol (${reason})`);

describe("The reason of a failed attempt", () => {
  for (const [error, sentence] of [
    [coded("ECONNREFUSED"), "The server refused the connection"],
    [coded("CERT_HAS_EXPIRED"), "The certificate has expired"],
    [new errors.SocketError("other side closed"), "The server closed the connection before the end of the response"],
    [new errors.HeadersOverflowError(), "The response has more than 16 KiB of headers"],
    [parserError("Data after `Connection: close`"), "The server sent more data after the end of the response"],
    [parserError("Missing expected CR after header value"), "A line of the response does not end with CR and LF"],
  ] as const) {
    it(`"${sentence}"`, () => {
      expect(describeFailure(error)).to.equal(sentence);
    });
  }

  it("is generic, with the code, for an unknown error", () => {
    expect(describeFailure(coded("EOTHER"))).to.equal("The connection failed (EOTHER)");
    expect(describeFailure(coded("ERR_SSL_OTHER"))).to.equal("The TLS handshake failed (ERR_SSL_OTHER)");
    expect(describeFailure(parserError("Other"))).to.equal("The response is not valid HTTP/1.1 (Other)");
    expect(describeFailure(new TypeError("other"))).to.equal("The connection failed (TypeError)");
    expect(describeLookupFailure(coded("EBADRESP"))).to.equal("The host name could not be looked up (EBADRESP)");
    expect(describeLookupFailure(coded("ECONNREFUSED"))).to.equal(
      "The host name could not be looked up (ECONNREFUSED)",
    );
  });
});
