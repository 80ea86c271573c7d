import type { Context, Middleware } from "koa";
import { receiveBody } from "../http/request-body.ts";
import type { Gate } from "./gate.ts";
import type { Ticket } from "./ticket.ts";

/** Receives the body of a request, and does all other work for it, checking included, while it has a permit. */
export function takePermits(gate: Gate): Middleware {
  return async (ctx, next) => {
    const ticket = gate.ticketOf(ctx.req);
    ctx.state.ticket = ticket;
    await receiveBody(ctx);
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

/** The ticket of the request that is being answered. */
export function ticketOf(ctx: Context): Ticket {
  return ctx.state.ticket as Ticket;
}
