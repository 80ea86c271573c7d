import type { Demo } from "./create-demo.ts";

/** First things to try, with working addresses and secrets. */
export function welcome(demo: Demo, config: { baseUrl: string; demoFile: string }): string {
  const shop = demo.shops[0]!;
  const key = shop.apiKeys[0]!;
  const owner = shop.staff[0]!;
  const { baseUrl } = config;
  const isCheckout = ["start", "dev"].includes(process.env.npm_lifecycle_event ?? "");
  const listen = isCheckout ? "npm run webhooks:listen" : "merchant-api listen";
  return `
Merchant API is ready at ${baseUrl}

  Admin              ${baseUrl}/admin/
  Staff login        ${owner.email} / ${owner.password}
  API reference      ${baseUrl}/docs?shop=${shop.id}

  List products of ${shop.name}:
    curl -H "Authorization: Bearer ${key.secret}" "${baseUrl}/api/v1/${shop.id}/products?limit=2"

  OpenAPI document   ${baseUrl}/api/v1/openapi.json
  GraphQL            ${baseUrl}/graphql
  All keys, logins   ${config.demoFile}
  See webhooks       ${listen}

Ctrl-C stops it. The data stays.`;
}
