import type { EntityManager } from "@mikro-orm/postgresql";
import { projections, runStatement } from "../database.ts";

/** Wakes a worker, once the transaction commits, for what is due at these endpoints. */
export async function wakeEndpoints(em: EntityManager, shopId: string, endpointIds: string[]): Promise<void> {
  await runStatement(
    projections(em),
    "select graphile_worker.add_job('wake-endpoints', json_build_object('shopId', $1::text, 'endpointIds', $2::text[]))",
    [shopId, endpointIds],
  );
}
