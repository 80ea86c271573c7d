import Router from "@koa/router";
import createError from "http-errors";
import type { Middleware } from "koa";
import { getCustomer, listCustomers } from "./customers.ts";
import { describeApi } from "./openapi.ts";
import { getOrder, listOrders } from "./orders.ts";
import { createProduct, getProduct, listProducts } from "./products.ts";
import { handleRoute, type RestOptions, type Route } from "./route.ts";
import { addRequestFacts } from "../platform/telemetry/request-facts.ts";
import { prepareJson } from "../platform/http/send.ts";

/** All routes of the merchant API. */
export const routes: readonly Route[] = [
  listProducts,
  getProduct,
  createProduct,
  listOrders,
  getOrder,
  listCustomers,
  getCustomer,
];

const BASE_PATH = "/api/v1";

/** The Koa middleware of the REST API. */
export function createRestRouter(options: RestOptions): Middleware {
  const router = new Router({ prefix: BASE_PATH, strict: true, sensitive: true });

  const sendDescription = prepareJson(describeApi(routes, options.baseUrl));
  router.get("/openapi.json", recordDescriptionRoute, async (ctx) => {
    ctx.set("Access-Control-Allow-Origin", "*");
    ctx.set("Cache-Control", "public, no-cache");
    await sendDescription(ctx, 200);
  });
  router.all("/openapi.json", refuseMethod(["GET"]));

  for (const [path, group] of Map.groupBy(routes, (route) => route.path)) {
    const pattern = `/:shopId${path.replace(/\{\w+\}/, ":id")}`;
    for (const route of group) {
      router.register(pattern, [route.method], handleRoute(route, options));
    }
    router.all(pattern, refuseMethod(group.map((route) => route.method)));
  }
  return router.routes() as Middleware;
}

const recordDescriptionRoute: Middleware = (_ctx, next) => {
  addRequestFacts({ route: "/openapi.json" });
  return next();
};

function refuseMethod(methods: string[]): Middleware {
  const allowed = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
  return (ctx) => {
    ctx.set("Allow", allowed);
    throw createError(405, "Method not allowed");
  };
}
