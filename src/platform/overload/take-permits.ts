import type { Context, Middleware } from "koa";
import { receiveBody } from "../http/request-body.ts";
import type { Gate } from "./gate.ts";
import { ticketOf } from "./ticket.ts";

/** Bodies up to this size are received without a turn. Bytes. */
const SMALL = 16 * 1024;

/** Receives the body of a request, then holds a permit while it is checked and answered. */
export function takePermits(gate: Gate): Middleware {
  return async (ctx, next) => {
    const ticket = ticketOf(ctx);
    await gate.receive(ticket.tenant, isLarge(ctx), () => receiveBody(ctx));
    await ticket.takePermits(1);
    try {
      if (ticket.isOver) {
        ctx.respond = false;
        return gate.refuse(ticket.tenant, ctx.req, ctx.res);
      }
      await next();
      ticket.countAnswer(ctx.response.length ?? 0);
    } finally {
      ticket.giveBackPermits();
    }
  };
}

function isLarge(ctx: Context): boolean {
  const length = ctx.get("Content-Length");
  return ctx.method === "POST" && (length === "" || Number(length) > SMALL);
}
