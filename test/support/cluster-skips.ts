import { isCluster } from "./database.ts";

/** Tests that do not apply to a cluster, by the beginning of their full titles, with the reasons. */
const skips: Record<string, string> = {};

/** Returns why a test does not apply to this run's PostgreSQL. Undefined for one that runs. */
export async function whySkipped(title: string): Promise<string | undefined> {
  if (!(await isCluster())) return undefined;
  return Object.entries(skips).find(([beginning]) => title.startsWith(beginning))?.[1];
}
