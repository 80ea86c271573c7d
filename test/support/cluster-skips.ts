import { isCluster } from "./database.ts";

/** Tests that do not apply to a cluster, by the beginning of their full titles, with the reasons. */
const skips: Record<string, string> = {
  "The events of mutations": "most of them make commits fail by a trigger, which a distributed table does not take",
  "The audit log commits together with the change": "makes commits fail by a trigger",
  "Changes of orders, products and customers in the audit log commit together": "makes commits fail by a trigger",
  "A change, its event, its deliveries and their jobs": "makes inserts fail by triggers",
  "Logins behind a proxy allow a hundred attempts per address":
    "creates many accounts and shops at once, which deadlock on Citus' locks of reference tables more often than is retried",
  "Statements of webhook deliveries with many deliveries": "reads plans, which Citus explains without parameters only",
  "A shop that statistics do not know": "reads plans, which Citus explains without parameters only",
};

/** Returns why a test does not apply to this run's PostgreSQL. Undefined for one that runs. */
export async function whySkipped(title: string): Promise<string | undefined> {
  if (!(await isCluster())) return undefined;
  return Object.entries(skips).find(([beginning]) => title.startsWith(beginning))?.[1];
}
