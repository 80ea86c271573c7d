import { isCluster } from "./database.ts";

/** Tests that do not apply to a cluster, by their full titles, with the reasons. */
const skips: [title: RegExp, because: string][] = [
  [
    /^(Statements of webhook deliveries with many deliveries|A shop that statistics do not know)/,
    "reads plans, which Citus explains without parameters only",
  ],
  [/^A search for .* with the index alone/, "reads the names of indexes in plans, which Citus changes for its shards"],
  [/^Entities (describe every table|.* report each difference)/, "lists views, of which Citus has some in the schema"],
];

/** Returns why a test does not apply to this run's PostgreSQL. Undefined for one that runs. */
export async function whySkipped(title: string): Promise<string | undefined> {
  if (!(await isCluster())) return undefined;
  return skips.find(([pattern]) => pattern.test(title))?.[1];
}
