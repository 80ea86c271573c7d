import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before } from "mocha";

/** A webhook receiver that counts deliveries by event, and can leave requests unanswered. */
export interface CountingReceiver {
  /** Such as `http://127.0.0.1:41234/`. */
  url: string;
  /** Deliveries by event. */
  received: Map<string, number>;
  /** Events that came again with other bytes. */
  altered: string[];
  /** True to leave requests unanswered. */
  hangs: boolean;
  /** Answers waiting requests. */
  answer: () => void;
}

/** Registers hooks that run such a receiver for the tests of this block. */
export function useCountingReceiver(): CountingReceiver {
  const waiting: ServerResponse[] = [];
  const digests = new Map<string, string>();
  const receiver: CountingReceiver = {
    url: "",
    received: new Map(),
    altered: [],
    hangs: false,
    answer: () => {
      for (const response of waiting.splice(0)) response.writeHead(204).end();
    },
  };
  const server = createServer((request, response) => {
    const id = request.headers["webhook-id"] as string;
    const hash = createHash("sha256");
    request.on("data", (part: Buffer) => hash.update(part));
    request.on("end", () => {
      const digest = hash.digest("base64");
      if ((digests.get(id) ?? digest) !== digest) receiver.altered.push(id);
      digests.set(id, digest);
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
