import { eventually } from "../eventually.ts";
import { useWorld, type Variables } from "../world.ts";

export const HOUR = 3_600_000;
/** A change takes effect in every process within a second, plus the time of a request. Milliseconds. */
const SOON = 1_500;

export const later = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

/** Manages API keys as the owner of a new shop for each test. */
export function useApiKeys() {
  const world = useWorld();
  const { run, send, call, sql } = world;
  const inputOf = (input: Variables) => ({ input: { name: "Warehouse", scopes: ["READ_PRODUCTS"], ...input } });
  const create = (input: Variables = {}) => send("createApiKey", inputOf(input));
  const created = (input: Variables = {}): Promise<{ secret: string; apiKey: Record<string, string> }> =>
    run("createApiKey", inputOf(input));
  const rotate = (id: string, input: Variables = {}) => send("rotateApiKey", { id, input });
  const revoke = (id: string) => send("revokeApiKey", { id });
  const list = (variables?: Variables) => run("apiKeys", variables);
  const statusOf = async (secret: string) => (await call("GET", "/products", { key: secret })).status;
  const becomes = (secret: string, status: number) =>
    eventually(
      () => statusOf(secret),
      (actual) => actual === status,
      SOON,
    );
  const actions = async () => {
    const rows = await sql<{ action: string; target_id: string }>(
      "select action, target_id from audit_entries where shop_id = $1 and actor_kind = 'STAFF' and action <> 'MEMBER_LOGGED_IN' order by id",
    );
    return rows.map(({ action, target_id }) => [action, target_id]);
  };
  const expire = (id: string) => sql("update api_keys set expires_at = now() where shop_id = $1 and id = $2", id);

  return Object.assign(world, { create, created, rotate, revoke, list, statusOf, becomes, actions, expire });
}
