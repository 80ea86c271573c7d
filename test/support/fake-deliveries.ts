import { setImmediate as turn } from "node:timers/promises";
import { ErrorClass } from "../../src/core/webhooks/error-class.ts";
import type { AttemptResult } from "../../src/jobs/attempt-delivery.ts";
import { Dispatcher } from "../../src/jobs/dispatcher.ts";
import type { DueDelivery, EndpointToRead } from "../../src/jobs/read-due-deliveries.ts";
import type { EndpointKey } from "../../src/jobs/turns.ts";
import { createLogger } from "../../src/platform/logger.ts";

/** Deliveries without a database or receivers, and a dispatcher that sends them: each ends when the test says so. */
export class FakeDeliveries {
  /** In their order: what was begun, what was read, what was written down. */
  readonly begun: string[] = [];
  readonly reads: string[] = [];
  readonly recorded: AttemptResult[] = [];
  readonly putOff: string[] = [];
  readonly letGo: string[] = [];
  readonly passedOn: string[] = [];
  /** Endpoints that another worker holds. */
  readonly elsewhere = new Set<string>();
  answersAtOnce = false;
  readError: Error | undefined;
  wakeError: Error | undefined;

  readonly #due = new Map<string, DueDelivery[]>();
  readonly #made = new Map<string, number>();
  readonly #suspended = new Set<string>();
  readonly #running = new Map<string, { delivery: DueDelivery; end: (error: ErrorClass | null | Error) => void }>();
  #reading = Promise.resolve();
  #recording = Promise.resolve();

  readonly dispatcher = new Dispatcher({
    read: (endpoints) => this.#read(endpoints),
    letGo: async (endpointIds) => void this.letGo.push(...endpointIds),
    wakeOthers: async (endpoints) => {
      if (this.wakeError) throw this.wakeError;
      this.passedOn.push(...endpoints.map(({ endpointId }) => endpointId));
    },
    attempt: (delivery) => this.#attempt(delivery),
    record: async (result) => {
      await this.#recording;
      this.recorded.push(result);
    },
    putOff: async ({ id, endpointId }) => {
      this.#settle(endpointId, id);
      this.putOff.push(id);
    },
    logger: createLogger("silent"),
  });

  /** Makes so many due, such as `a1-1`, `a1-2`. */
  make(endpointId: string, count: number): void {
    const made = this.#made.get(endpointId) ?? 0;
    const due = this.#due.get(endpointId) ?? [];
    for (let number = made + 1; number <= made + count; number += 1) {
      const delivery = { id: `${endpointId}-${number}`, endpointId, isTest: false, isFailing: false };
      due.push({ ...delivery, dueAt: new Date(number) } as DueDelivery);
    }
    this.#due.set(endpointId, due);
    this.#made.set(endpointId, made + count);
  }

  /** One that is committed late: it is due before all others. */
  makeEarlier(endpointId: string, id: string): void {
    const delivery = { id, endpointId, isTest: false, isFailing: false, dueAt: new Date(0) };
    this.#due.get(endpointId)!.unshift(delivery as DueDelivery);
  }

  /** It becomes due after all others. */
  makeLater(endpointId: string, id: string): void {
    const due = this.#due.get(endpointId)!;
    const delivery = due.find((one) => one.id === id)!;
    this.#settle(endpointId, id);
    due.push({ ...delivery, dueAt: new Date(due.at(-1)!.dueAt!.getTime() + 1) });
  }

  /** Nothing of it is due any more, as when it is paused. */
  drop(endpointId: string): void {
    this.#due.delete(endpointId);
  }

  /** It is asked with one delivery whether it is well. */
  suspend(endpointId: string): void {
    this.#suspended.add(endpointId);
  }

  heal(endpointId: string): void {
    this.#suspended.delete(endpointId);
  }

  running(endpointId: string): string[] {
    return [...this.#running.values()]
      .map(({ delivery }) => delivery)
      .filter((one) => one.endpointId === endpointId)
      .map(({ id }) => id);
  }

  succeed = (id: string) => this.#end(id, null);
  fail = (id: string) => this.#end(id, ErrorClass.HTTP_STATUS);
  break = (id: string) => this.#end(id, new Error("a fault of ours"));

  letAllEnd(): void {
    for (const { end } of this.#running.values()) end(null);
  }

  /** From now on, what is read is as it is now, and comes when that is called which this answers. */
  holdReads(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#reading = promise;
    return resolve;
  }

  /** Likewise for what is written down. */
  holdRecords(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#recording = promise;
    return resolve;
  }

  /** Settles when nothing is due or under way. */
  async idle(): Promise<void> {
    while (this.#running.size > 0 || [...this.#due.values()].some(({ length }) => length > 0)) await turn();
  }

  async #read(endpoints: EndpointToRead[]): Promise<{ due: DueDelivery[]; elsewhere: EndpointKey[] }> {
    if (this.readError) throw this.readError;
    this.reads.push(...endpoints.map(({ endpointId }) => endpointId));
    const due = endpoints
      .filter(({ endpointId }) => !this.elsewhere.has(endpointId))
      .flatMap(({ endpointId, places, except, dueFrom }) => {
        const isProbe = this.#suspended.has(endpointId);
        const known = new Set(except);
        return (this.#due.get(endpointId) ?? [])
          .filter(({ id, dueAt }) => !known.has(id) && dueAt! >= (dueFrom ?? new Date(0)))
          .slice(0, isProbe ? 1 : places)
          .map((delivery) => ({ ...delivery, isProbe }));
      });
    await this.#reading;
    return { due, elsewhere: endpoints.filter(({ endpointId }) => this.elsewhere.has(endpointId)) };
  }

  async #attempt(delivery: DueDelivery): Promise<AttemptResult> {
    this.begun.push(delivery.id);
    const { promise, resolve } = Promise.withResolvers<ErrorClass | null | Error>();
    this.#running.set(delivery.id, { delivery, end: resolve });
    if (this.answersAtOnce) resolve(null);
    const error = await promise;
    this.#running.delete(delivery.id);
    if (error instanceof Error) throw error;
    this.#settle(delivery.endpointId, delivery.id);
    return { delivery, outcome: { errorClass: error } } as AttemptResult;
  }

  /** It is not due any more. */
  #settle(endpointId: string, id: string): void {
    const due = this.#due.get(endpointId) ?? [];
    const index = due.findIndex((delivery) => delivery.id === id);
    if (index !== -1) due.splice(index, 1);
  }

  async #end(id: string, error: ErrorClass | null | Error): Promise<void> {
    this.#running.get(id)!.end(error);
    await turn();
  }
}
