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
const MAX_SEEN = 100_000;

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
const seen = new Set<string>();

function remember(id: string): boolean {
  if (seen.has(id)) return false;
  seen.add(id);
  if (seen.size > MAX_SEEN) seen.delete(seen.values().next().value!);
  return true;
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

async function receive(request: IncomingMessage): Promise<{ status: number; event?: Event }> {
  if (request.method !== "POST") return { status: 405 };
  const body = await readBody(request);
  if (!body) return { status: 413 };
  if (!isGenuine(body, request.headers)) return { status: 401 };
  return { status: 204, event: JSON.parse(body.toString()) as Event };
}

const server = createServer(async (request, response) => {
  try {
    const { status, event } = await receive(request);
    const isNew = event && remember(event.id);
    response.writeHead(status).end();
    // After the answer: what takes long must not make the sender wait.
    if (isNew) setImmediate(handle, event);
  } catch (error) {
    console.error(error);
    if (!response.headersSent) response.writeHead(500).end();
  }
});
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => console.log("Ready"));
