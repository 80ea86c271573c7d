import type { EntityManager } from "@mikro-orm/postgresql";
import { projections, runStatement } from "../database.ts";

/** The job's name. */
export const WAKE_ENDPOINTS = "wake-endpoints";

/** What the job says: something is due at these endpoints. */
export interface WakeUp {
  shopId: string;
  endpointIds: string[];
}

/** SQL: adds that job. */
export const addWakeUp = (shopId: string, endpointIds: string) =>
  `graphile_worker.add_job('${WAKE_ENDPOINTS}', json_build_object('shopId', ${shopId}::text, 'endpointIds', ${endpointIds}::text[]))`;

/** Wakes a worker, once the transaction commits, for what is due at these endpoints. */
export async function wakeEndpoints(em: EntityManager, shopId: string, endpointIds: string[]): Promise<void> {
  await runStatement(projections(em), `select ${addWakeUp("$1", "$2")}`, [shopId, endpointIds]);
}
