import { setTimeout as wait } from "node:timers/promises";
import { eventually } from "../eventually.ts";

/** A hundred requests a second. */
const INTERVAL = 10;
/** Below the 30 in flight of a network whose key a new process does not know yet. A slow machine is asked less often. */
const MAX_IN_FLIGHT = 24;

/** Reads and creates products through a proxy until it is stopped. */
export class SteadyLoad {
  readonly failures: string[] = [];
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #over = new AbortController();
  readonly #sending: Promise<void>;
  #served: Record<string, number> = {};

  constructor(url: string, key: string) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    this.#sending = this.#sendAllTheTime();
  }

  /** Waits until each of these servers has answered a hundred requests from now on. */
  async isServedBy(...names: string[]): Promise<void> {
    this.#served = {};
    await eventually(
      () => this.#served,
      (served) => names.every((name) => (served[name] ?? 0) > 100),
    );
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.#sending;
  }

  async #sendAllTheTime(): Promise<void> {
    const inFlight = new Set<Promise<void>>();
    const begin = performance.now();
    for (let count = 0; !this.#over.signal.aborted; count += 1) {
      await wait(Math.max(0, begin + count * INTERVAL - performance.now()));
      if (inFlight.size >= MAX_IN_FLIGHT) continue;
      const request = this.#send(count).finally(() => inFlight.delete(request));
      inFlight.add(request);
    }
    await Promise.all(inFlight);
  }

  /** One of ten is a create: nobody may send it twice. */
  async #send(count: number): Promise<void> {
    const create = { method: "POST", body: JSON.stringify({ title: `Product ${count}`, price: 1 }) };
    try {
      const answer = await fetch(this.#url, { headers: this.#headers, ...(count % 10 === 0 && create) });
      const text = await answer.text();
      const name = answer.headers.get("x-served-by") ?? "nobody";
      if (answer.ok) this.#served[name] = (this.#served[name] ?? 0) + 1;
      else this.failures.push(`${answer.status} of ${name}: ${text}`);
    } catch (error) {
      this.failures.push(String((error as Error).cause ?? error));
    }
  }
}
