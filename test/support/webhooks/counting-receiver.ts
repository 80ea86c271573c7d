import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before } from "mocha";

/** A webhook receiver that counts deliveries by event, and can leave requests unanswered. */
export interface CountingReceiver {
  /** Such as `http://127.0.0.1:41234/`. */
  url: string;
  /** Deliveries by event. */
  received: Map<string, number>;
  /** True to leave requests unanswered. */
  hangs: boolean;
  /** Answers waiting requests. */
  answer: () => void;
}

/** Registers hooks that run such a receiver for the tests of this block. */
export function useCountingReceiver(): CountingReceiver {
  const waiting: ServerResponse[] = [];
  const receiver: CountingReceiver = {
    url: "",
    received: new Map(),
    hangs: false,
    answer: () => {
      for (const response of waiting.splice(0)) response.writeHead(204).end();
    },
  };
  const server = createServer((request, response) => {
    const id = request.headers["webhook-id"] as string;
    request.resume().on("end", () => {
      receiver.received.set(id, (receiver.received.get(id) ?? 0) + 1);
      if (receiver.hangs) waiting.push(response);
      else response.writeHead(204).end();
    });
  });
  before("start a receiver", async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after("stop the receiver", () => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}
