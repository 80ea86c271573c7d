// A webhook receiver with nothing but Node (22.18 or newer):
//   WEBHOOK_SECRETS="whsec_…" PORT=3000 node receiver.ts
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";

// During a rotation: the new secret and the old one, with a space between.
const secrets = (process.env.WEBHOOK_SECRETS ?? "").split(/\s+/).filter(Boolean);
if (secrets.length === 0) throw new Error("WEBHOOK_SECRETS is missing");
const isGenuine = process.env.WEBHOOK_SCHEME === "sha256" ? hasSha256Signature : hasStandardSignature;
const TOLERANCE = 300; // seconds
const MAX_BODY = 65_536; // bytes
const MAX_HANDLED = 100_000;

/** Standard Webhooks: signed with its time, so that nobody can send it again later. */
function hasStandardSignature(body: Buffer, headers: IncomingHttpHeaders): boolean {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (!id || !signatures || !/^\d{1,12}$/.test(String(timestamp))) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE) return false;
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
    // One signature for each secret that is valid at the sender's.
    return String(signatures)
      .split(" ")
      .some((signature) => isSame(signature, `v1,${expected}`));
  });
}

/** X-Webhook-Signature: the body alone, keyed with the whole secret as it was shown. */
function hasSha256Signature(body: Buffer, headers: IncomingHttpHeaders): boolean {
  return secrets.some((secret) => {
    const expected = createHmac("sha256", secret).update(body).digest("hex");
    return isSame(String(headers["x-webhook-signature"]), `sha256=${expected}`);
  });
}

/** Takes as long wherever the difference is. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

interface Event {
  id: string;
  topic: string;
  shopId: string;
  createdAt: string;
  data: Record<string, unknown>;
}

// In production: a table with the id as its key, and the body, to which this adds before it answers.
// A worker takes its rows from there. Keep ids for 30 days: a delivery can be replayed that long.
const handled = new Map<string, Promise<void>>();

/** Handles an event once. A delivery of it that arrives meanwhile waits for the same result. */
function handleOnce(event: Event): Promise<void> {
  const known = handled.get(event.id);
  if (known) return known;
  const handling = Promise.resolve(event).then(handle);
  handled.set(event.id, handling);
  // The event comes again.
  handling.catch(() => handled.delete(event.id));
  if (handled.size > MAX_HANDLED) handled.delete(handled.keys().next().value!);
  return handling;
}

function handle({ id, topic, data }: Event): void {
  switch (topic) {
    case "order.paid":
      return console.log(`Ship order ${data.orderNumber} (${id})`);
    case "order.refunded":
      return console.log(`Book a refund of ${data.amount} ${data.currency} for order ${data.orderNumber} (${id})`);
    default:
      return console.log(`Ignore ${topic} (${id})`);
  }
}

/** The bytes as they came: parsed and printed again, they would have another signature. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= MAX_BODY) chunks.push(chunk);
  }
  return length > MAX_BODY ? undefined : Buffer.concat(chunks);
}

async function receive(request: IncomingMessage): Promise<number> {
  if (request.method !== "POST") return 405;
  const body = await readBody(request);
  if (!body) return 413;
  if (!isGenuine(body, request.headers)) return 401;
  // The records of a test event do not exist.
  if (!request.headers["x-webhook-test"]) await handleOnce(JSON.parse(body.toString()) as Event);
  return 204;
}

const server = createServer(async (request, response) => {
  const status = await receive(request).catch((error: unknown) => {
    console.error(error);
    return 500;
  });
  response.writeHead(status).end();
});
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => console.log("Ready"));
