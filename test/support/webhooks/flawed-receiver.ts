import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { after } from "mocha";
import { Webhook } from "standardwebhooks";
import { topicNames, type Topic } from "../../../src/core/model/webhooks/topics.ts";

const OTHER_SECRET = `whsec_${"A".repeat(44)}`;
/** Milliseconds. */
const OVER_A_SECOND = 1_200;
/** Keeps an event in progress until a copy that was sent at the same time arrives. Milliseconds. */
const OVERLAP = 500;

/** What a receiver can do wrong. */
export type Flaw =
  | "verifies with another secret"
  | "verifies nothing"
  | "verifies no signature"
  | "accepts a missing signature"
  | "trusts a signature that it knows"
  | "accepts any time"
  | "accepts the future"
  | "answers 409 to an event that it has"
  | "answers 500 to an event in progress"
  | "answers 409 to an older version"
  | "answers 400 to an unknown topic"
  | "verifies JSON that it parsed and printed"
  | "works before it answers";

/** A receiver that does everything right, except for its flaw. */
class FlawedReceiver {
  readonly #secret: () => string;
  readonly #flaw: Flaw | undefined;
  readonly #events = new Set<string>();
  readonly #inProgress = new Set<string>();
  readonly #signatures = new Set<string>();
  readonly #versions = new Map<string, number>();

  constructor(secret: () => string, flaw: Flaw | undefined) {
    this.#secret = secret;
    this.#flaw = flaw;
  }

  async answer(headers: IncomingHttpHeaders, body: string): Promise<number> {
    if (!this.#isGenuine(headers, body)) return 401;
    const { id, topic, data } = JSON.parse(body);
    if (this.#events.has(id)) return this.#flaw === "answers 409 to an event that it has" ? 409 : 204;
    if (this.#inProgress.has(id)) return 500;
    if (this.#flaw === "answers 500 to an event in progress") {
      this.#inProgress.add(id);
      await wait(OVERLAP);
      this.#inProgress.delete(id);
    }
    this.#events.add(id);
    if (this.#flaw === "works before it answers" && this.#events.size === 1) await wait(OVER_A_SECOND);
    if (!topicNames.includes(topic as Topic)) return this.#flaw === "answers 400 to an unknown topic" ? 400 : 204;
    const known = this.#versions.get(data.productId) ?? 0;
    this.#versions.set(data.productId, Math.max(known, data.version));
    return this.#flaw === "answers 409 to an older version" && data.version < known ? 409 : 204;
  }

  #isGenuine(headers: IncomingHttpHeaders, body: string): boolean {
    const flaw = this.#flaw;
    if (flaw === "verifies nothing") return true;
    const [id, timestamp, signature] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
      String(headers[name]),
    ) as [string, string, string];
    const age = Date.now() / 1_000 - Number(timestamp);
    const isFresh = age < 300 && (age > -300 || flaw === "accepts the future");
    if (!isFresh && flaw !== "accepts any time") return false;
    if (flaw === "verifies no signature") return true;
    if (flaw === "accepts a missing signature" && headers["webhook-signature"] === undefined) return true;
    if (flaw === "trusts a signature that it knows" && this.#signatures.has(signature)) return true;
    const webhook = new Webhook(flaw === "verifies with another secret" ? OTHER_SECRET : this.#secret());
    const signed = flaw === "verifies JSON that it parsed and printed" ? JSON.stringify(JSON.parse(body)) : body;
    if (signature !== webhook.sign(id, new Date(Number(timestamp) * 1_000), signed)) return false;
    this.#signatures.add(signature);
    return true;
  }
}

/** Returns a function that starts a receiver and returns its URL. They stop after the tests of this block. */
export function useFlawedReceivers(): (secret: () => string, flaw?: Flaw) => Promise<string> {
  const stops: (() => void)[] = [];
  after("stop the receivers", () => stops.forEach((stop) => stop()));
  return async (secret, flaw) => {
    const receiver = new FlawedReceiver(secret, flaw);
    const server = createServer(async (request, response) => {
      const body = (await buffer(request)).toString();
      response.writeHead(await receiver.answer(request.headers, body)).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    stops.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  };
}
