import { setTimeout as wait } from "node:timers/promises";
import type { Middleware } from "koa";
import { ticketOf } from "../platform/overload/permits.ts";
import { requestFacts, untimed } from "../platform/telemetry/request-facts.ts";

/** Milliseconds for which a client waits in vain. */
const TIMEOUT = 10_000;

/** Ends the connection of a request with a simulated failure, after its change committed. */
export const loseAnswers: Middleware = async (ctx, next) => {
  await next();
  const { lostAnswer } = requestFacts()!;
  if (!lostAnswer) return;
  const end = wait(lostAnswer === "TIMEOUT" ? TIMEOUT : 0, undefined, { ref: false });
  await untimed(() => Promise.race([end, ticketOf(ctx).closed]));
  ctx.respond = false;
  ctx.req.socket.destroy();
};
