import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry, type Metric } from "prom-client";

const PREFIX = "merchant_api_";

/** Upper bounds of buckets for waiting times. Seconds. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** A value, or undefined when it is unknown. */
type Reading = number | undefined;

interface Reader {
  labels: Record<string, string>;
  read: () => Reading | Promise<Reading>;
}

/**
 * The metrics of this process, for Prometheus. Metrics are created once per name; asking again returns the same one.
 *
 * A label has few values, all known in advance. No label names a shop, a key or an address, or holds text that a client
 * chose.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #readers = new Map<string, Map<string, Reader>>();

  counter<Label extends string>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
    return this.#once(name, (options) => new Counter({ ...options, help, labelNames }));
  }

  /** @param buckets upper bounds, in seconds unless the name has another unit */
  histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    buckets = BUCKETS,
  ): Histogram<Label> {
    return this.#once(name, (options) => new Histogram({ ...options, help, labelNames, buckets }));
  }

  /** Adds a value that is read at each scrape. It replaces an earlier one with the same labels. */
  gauge(name: string, help: string, read: Reader["read"], labels: Record<string, string> = {}): void {
    const readers = this.#readers.get(name) ?? new Map<string, Reader>();
    this.#readers.set(name, readers.set(JSON.stringify(labels), { labels, read }));
    const labelNames = Object.keys(labels);
    this.#once(name, (options) => new Gauge({ ...options, help, labelNames, collect: () => this.#read(name) }));
  }

  /** Adds Node's metrics: memory, CPU, event loop, garbage collection. Call it once per process. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** All metrics in Prometheus's format. */
  async expose(): Promise<{ type: string; text: string }> {
    return { type: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  #once<Made extends Metric>(name: string, make: (options: { name: string; registers: Registry[] }) => Made): Made {
    const known = this.#registry.getSingleMetric(PREFIX + name) as Made | undefined;
    return known ?? make({ name: PREFIX + name, registers: [this.#registry] });
  }

  async #read(name: string): Promise<void> {
    const readers = [...this.#readers.get(name)!.values()];
    const values = await Promise.all(readers.map(({ read }) => read()));
    const gauge = this.#registry.getSingleMetric(PREFIX + name) as Gauge;
    for (const [index, { labels }] of readers.entries()) {
      const value = values[index];
      if (value === undefined) gauge.remove(labels);
      else gauge.set(labels, value);
    }
  }
}
