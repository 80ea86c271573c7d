import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach } from "mocha";

export interface ReceivedDelivery {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Receiver {
  /** Such as `http://127.0.0.1:41234`. */
  url: string;
  received: ReceivedDelivery[];
  /** Sets the status, headers and body of all further answers. */
  status: number | ((headers: IncomingHttpHeaders) => number);
  answerHeaders: Record<string, string>;
  answerBody: string | ((headers: IncomingHttpHeaders) => string);
  /** Delays all answers until the returned function is called. */
  hold: () => () => void;
}

/** Registers hooks that run a merchant's webhook receiver for the tests of this block. Each finds it as new. */
export function useReceiver(): Receiver {
  let held = Promise.resolve();
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    return resolve;
  };
  const state = () => ({ received: [], status: 204, answerHeaders: {}, answerBody: "" });
  const receiver: Receiver = { url: "", ...state(), hold };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url: path = "", headers } = request;
    receiver.received.push({ method, path, headers, body: Buffer.concat(chunks) });
    await held;
    const { status, answerHeaders, answerBody } = receiver;
    response
      .writeHead(typeof status === "number" ? status : status(request.headers), answerHeaders)
      .end(typeof answerBody === "string" ? answerBody : answerBody(request.headers));
  });
  before("start a receiver", async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach("empty the receiver", () => {
    held = Promise.resolve();
    Object.assign(receiver, state());
  });
  after("stop the receiver", () => {
    server.close();
    server.closeAllConnections();
  });
  return receiver;
}
