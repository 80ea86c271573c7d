import { after, before } from "mocha";
import type { TestServer } from "../server.ts";

/** One value of a scrape. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Scraper {
  /** Such as `http://127.0.0.1:41234`. */
  url: string;
  scrape: () => Promise<Sample[]>;
  /** The sum of the values with this name, without the product's prefix, and with at least these labels. */
  read: (name: string, labels?: Record<string, string>) => Promise<number | undefined>;
}

/** Registers hooks that serve the metrics of a server, and reads them as Prometheus does. */
export function useMetrics(server: TestServer): Scraper {
  const scraper: Scraper = {
    url: "",
    scrape: () => scrape(scraper.url),
    read: async (name, labels = {}) => sumOf(await scraper.scrape(), name, labels),
  };
  let stop: () => Promise<void>;
  before("serve metrics", async () => {
    const metrics = await server.app.startMetrics({ host: "127.0.0.1", port: 0 });
    scraper.url = `http://127.0.0.1:${metrics.port}`;
    stop = metrics.stop;
  });
  after("serve metrics no more", () => stop());
  return scraper;
}

export async function scrape(url: string): Promise<Sample[]> {
  const response = await fetch(`${url}/metrics`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return parseExposition(text);
}

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
function parseExposition(text: string): Sample[] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [, name, labels = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line)!;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text_]) => [key!, text_!]);
    return { name: name!, labels: Object.fromEntries(pairs), value: Number(value!.replace("Inf", "Infinity")) };
  });
}

export function sumOf(samples: Sample[], name: string, labels: Record<string, string> = {}): number | undefined {
  const matching = samples.filter(
    (sample) =>
      sample.name === `merchant_api_${name}` &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return matching.length === 0 ? undefined : matching.reduce((sum, { value }) => sum + value, 0);
}
