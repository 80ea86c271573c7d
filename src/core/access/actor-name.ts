import type { CoreContext } from "../context.ts";
import { loaderOf } from "../queries/loader-of.ts";
import { loadActorNames } from "./load-actor-names.ts";

/** The description of a field with the name of the actor of a change. */
export const ACTOR_NAME =
  "The email address of the staff member, or the name of the service or API key. Null if actorId is null.";

/** Loads the name of a record's actor, in one statement for many records. */
export async function actorName(context: CoreContext, shopId: string, id: string | null): Promise<string | null> {
  return id === null ? null : loaderOf(context, loadActorNames).load({ shopId, id });
}
