import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { topicNames } from "../core/webhooks/topics.ts";
import { OperatorError } from "../platform/errors.ts";
import { untilStopped } from "../platform/until-stopped.ts";
import { readDemo, type Demo } from "./create-demo.ts";
import { forwardDelivery, parseForwardAddress } from "./forward.ts";

const PORT = 4400;

/**
 * A receiver on loopback that subscribes itself to the demo shop, checks each signature and prints each
 * delivery. It uses nothing that a merchant's developer would not have. Unsubscribes when it is stopped.
 * With `forwardTo`, that receiver gets what is genuine, and its answers are this one's.
 *
 * @throws OperatorError
 */
export async function listenForWebhooks(demoFile: string, { forwardTo }: { forwardTo?: string } = {}): Promise<void> {
  const target = forwardTo === undefined ? undefined : parseForwardAddress(forwardTo);
  const demo = await readDemo(demoFile);
  if (!demo) throw new OperatorError(`${demoFile} is not there. Start the server first: npm start`);
  const shop = demo.shops[0]!;
  const staff = await logIn(demo, shop.staff[0]!);
  let secret: string | undefined;
  const server = createServer((request, response) => {
    receive(request, response, { secret, target }).catch((error: Error) => {
      console.log(`A delivery broke off: ${error.message}\n`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(PORT, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  const subscription = await subscribe(staff, shop.id, url);
  secret = subscription.secret;
  console.log(`Receiving every event of ${shop.name} at ${url}${target ? `, forwarding to ${target}` : ""}\n`);
  if (target) console.log(`Signed with ${secret}\n`);
  console.log(`Create a product to see one:\n  curl -X POST -H "Authorization: Bearer ${shop.apiKeys[0]!.secret}" \\`);
  console.log(`    -H "Content-Type: application/json" -d '{"title":"Stoneware Mug","price":14.5}' \\`);
  console.log(`    "${demo.baseUrl}/api/v1/${shop.id}/products"\n`);
  await untilStopped();
  await unsubscribe(staff, shop.id, subscription.id).catch(() => undefined);
  server.close();
  server.closeAllConnections();
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { secret, target }: { secret?: string; target?: URL },
): Promise<void> {
  const { headers } = request;
  const body = await readBody(request);
  const isGenuine = secret !== undefined && verify(body, headers["x-webhook-signature"], secret);
  print(body, isGenuine, headers);
  if (!isGenuine || !target) {
    response.writeHead(isGenuine ? 204 : 401).end();
    return;
  }
  const answer = await forwardDelivery(target, { headers, body });
  console.log(`  ${headers["webhook-id"]} ${answer.summary}\n`);
  response.writeHead(answer.status, answer.headers).end();
}

function print(body: Buffer, isGenuine: boolean, headers: IncomingHttpHeaders): void {
  const verdict = isGenuine ? "signature verified" : "SIGNATURE DOES NOT MATCH";
  const kind = headers["x-webhook-test"] === "true" ? "  test event" : "";
  console.log(
    `${new Date().toISOString()}  ${headers["x-webhook-topic"]}  ${headers["webhook-id"]}  ${verdict}${kind}`,
  );
  console.log(`  ${body.toString()}\n`);
}

/** As the specification says (section 6): in constant time, on the raw body. */
function verify(body: Buffer, header: string | string[] | undefined, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const actual = Buffer.from(String(header));
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

interface StaffClient {
  baseUrl: string;
  cookie: string;
}

async function logIn(demo: Demo, staff: { email: string; password: string }): Promise<StaffClient> {
  const { baseUrl } = demo;
  const document =
    "mutation ($email: String!, $password: String!) { logIn(email: $email, password: $password) { id } }";
  const { headers } = await ask({ baseUrl, cookie: "" }, document, { email: staff.email, password: staff.password });
  return {
    baseUrl,
    cookie: headers
      .getSetCookie()
      .map((cookie) => cookie.split(";")[0])
      .join("; "),
  };
}

async function subscribe(staff: StaffClient, shopId: string, url: string): Promise<{ id: string; secret: string }> {
  const { data } = await ask<{
    shop: { webhookEndpoints: { id: string; url: string }[] };
  }>(staff, "query ($shopId: ID!) { shop(id: $shopId) { webhookEndpoints { id url } } }", { shopId });
  // Left by a listener that was killed: its secret is lost.
  for (const endpoint of data.shop.webhookEndpoints) {
    if (endpoint.url === url) await unsubscribe(staff, shopId, endpoint.id);
  }
  const created = await ask<{ createWebhookEndpoint: { secret: string; endpoint: { id: string } } }>(
    staff,
    `mutation ($shopId: ID!, $url: String!, $topics: [String!]!) {
      createWebhookEndpoint(shopId: $shopId, input: { url: $url, topics: $topics }) { secret endpoint { id } }
    }`,
    { shopId, url, topics: topicNames },
  );
  const { secret, endpoint } = created.data.createWebhookEndpoint;
  return { id: endpoint.id, secret };
}

async function unsubscribe(staff: StaffClient, shopId: string, id: string): Promise<void> {
  await ask(staff, "mutation ($shopId: ID!, $id: ID!) { deleteWebhookEndpoint(shopId: $shopId, id: $id) }", {
    shopId,
    id,
  });
}

async function ask<Data>(
  { baseUrl, cookie }: StaffClient,
  query: string,
  variables: Record<string, unknown>,
): Promise<{ data: Data; headers: Headers }> {
  const response = await fetch(`${baseUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify({ query, variables }),
  }).catch((error: unknown) => {
    throw new OperatorError(`${baseUrl} does not answer. Start the server first: npm start`, { cause: error });
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: { message: string }[] };
  if (errors?.[0]) throw new OperatorError(errors[0].message);
  return { data, headers: response.headers };
}
