import createError from "http-errors";
import type { Context, Middleware } from "koa";
import { sql, type Kysely } from "kysely";
import type { Problem } from "./readiness.ts";
import { addRequestFacts } from "../platform/telemetry/request-facts.ts";
import type { Encryption } from "../platform/encryption.ts";
import { addressOf } from "../platform/http/client.ts";
import type { MigrationTables } from "../platform/postgres/schema-version.ts";
import { sendJson } from "../platform/http/send.ts";
import { version } from "../platform/version.ts";

const LIVENESS = "/livez";
const paths = new Set([LIVENESS, "/readyz", "/health"]);

/** Returns true for the paths of health probes. */
export function isProbe(path: string): boolean {
  return paths.has(path);
}

/** The header of `merchant-api doctor`: the name of its database, encrypted with a key of the installation. */
export const DOCTOR = "X-Doctor";

/** How a process sees a request of `merchant-api doctor`. */
export interface Sight {
  address: string | undefined;
  forwardedFor: string[];
  trustedProxies: number;
}

/** Names the database until its server restarts. */
export async function identifyDatabase(database: Kysely<MigrationTables>): Promise<string> {
  const name = sql<string>`extract(epoch from pg_postmaster_start_time()) || ' ' || current_database()`.as("name");
  return (await database.selectNoFrom(name).executeTakeFirstOrThrow()).name;
}

/** Answers load balancers and orchestrators: whether the process runs, and whether it is ready. */
export function healthCheck(
  findProblems: () => Promise<Problem[]>,
  encryption: Encryption,
  identify: () => Promise<string>,
): Middleware {
  async function look(ctx: Context): Promise<Sight | undefined> {
    const isOfDoctor = async () => encryption.open(ctx.get(DOCTOR), DOCTOR) === (await identify());
    if (!(await isOfDoctor().catch(() => false))) return undefined;
    const forwardedFor = ctx.get("X-Forwarded-For").split(/ *, */).filter(Boolean);
    return { address: addressOf(ctx), forwardedFor, trustedProxies: ctx.app.proxy ? ctx.app.maxIpsCount : 0 };
  }
  return async (ctx, next) => {
    if (!isProbe(ctx.path)) return next();
    addRequestFacts({ route: ctx.path });
    if (ctx.method !== "GET" && ctx.method !== "HEAD") {
      ctx.set("Allow", "GET, HEAD");
      throw createError(405, "Method not allowed");
    }
    ctx.set("Cache-Control", "no-store");
    if (ctx.path === LIVENESS) return sendJson(ctx, 200, { status: "ok", version, seen: await look(ctx) });
    const problems = await findProblems();
    if (problems.length === 0) return sendJson(ctx, 200, { status: "ok" });
    // The endpoint is public, so details are only in the log.
    ctx.set("Retry-After", "1");
    await sendJson(ctx, 503, { status: "unavailable", notReady: [...new Set(problems.map(({ part }) => part))] });
  };
}
