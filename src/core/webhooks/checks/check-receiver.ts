import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Arrivals } from "../../../platform/postgres/arrivals.ts";
import { inTransaction, type Operation } from "../../access/operation.ts";
import { requireApiAccess, requireOpen } from "../../access/permissions.ts";
import type { WaitingRequest } from "../../context.ts";
import { AppError, invalidInput } from "../../model/errors.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import type { CurrentShop } from "../../model/shops/current-shop.ts";
import { auditEndpoint, limitRate, lockWebhookEndpoint } from "../endpoints/read-webhook-endpoints.ts";
import { addCheckJob } from "../jobs/send-jobs.sql.ts";
import type { ReceiverCheck } from "./receiver-checks.ts";

/** A worker starts a check, and sends the first request of each, within these times. Milliseconds. */
export const START_WITHIN = 10_000;
export const SEND_WITHIN = 15_000;
/** A check has two requests in turn, of ten seconds each. It ends before the next of its endpoint may start. */
const LONGEST = START_WITHIN + SEND_WITHIN + 20_000;

/**
 * Lets a worker check the receiver of an endpoint, in any state, and waits for the results.
 *
 * @param rest runs the wait without the places that the request takes from others
 * @throws AppError NOT_FOUND; VALIDATION_FAILED for a pull endpoint; PLAN_FORBIDS; RATE_LIMITED; UNAVAILABLE without
 *   results
 */
export async function checkReceiver(
  operation: Operation<CurrentShop>,
  endpointId: string,
  { arrivals, rest }: { arrivals: Arrivals; rest: WaitingRequest["rest"] },
): Promise<ReceiverCheck[]> {
  const { shop } = operation;
  requireOpen(shop);
  requireApiAccess(shop);
  if (!arrivals.hasRoom(shop.id)) throw new AppError("RATE_LIMITED", "Too many requests of the shop are waiting");
  const checkId = randomUUID();
  const results = await arrivals.during({ tenant: shop.id, name: checkId }, async (prepare) => {
    const { woken } = await prepare();
    await startCheck(operation, endpointId, checkId);
    const late = wait(LONGEST, "", { ref: false });
    return rest((closed) => Promise.race([woken, late, closed.then(() => "")]));
  });
  if (results !== "") return JSON.parse(results);
  throw new AppError("UNAVAILABLE", "No worker has checked the receiver", { hint: "Try again in a minute." });
}

function startCheck(operation: Operation<CurrentShop>, endpointId: string, checkId: string): Promise<void> {
  return inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    const endpoint = await lockWebhookEndpoint(inside, endpointId);
    if (endpoint.pullPaused !== null) {
      const message = "Must be an endpoint with a URL: nothing is sent to a pull endpoint";
      throw invalidInput([{ path: "id", code: "invalid_value", message }]);
    }
    await limitRate(em, endpoint, {
      action: AuditAction.WEBHOOK_RECEIVER_CHECKED,
      most: 1,
      message: "A receiver can be checked once a minute",
    });
    await addCheckJob(em, { shopId: shop.id, endpointId, checkId });
    await auditEndpoint(inside, AuditAction.WEBHOOK_RECEIVER_CHECKED, endpoint);
  });
}
