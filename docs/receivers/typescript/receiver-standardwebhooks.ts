// The same with the package of the standard (npm install standardwebhooks), which checks the time too:
//   WEBHOOK_SECRETS="whsec_…" PORT=3000 node receiver-standardwebhooks.ts
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

// One is enough, in a rotation too: until the overlap ends, each delivery is signed with both.
const webhooks = (process.env.WEBHOOK_SECRETS ?? "")
  .split(/\s+/)
  .filter(Boolean)
  .map((secret) => new Webhook(secret));
if (webhooks.length === 0) throw new Error("WEBHOOK_SECRETS is missing");

interface Event {
  id: string;
  topic: string;
  shopId: string;
  createdAt: string;
  data: Record<string, unknown>;
}

function verify(body: string, headers: IncomingMessage["headers"]): Event | undefined {
  for (const webhook of webhooks) {
    try {
      return webhook.verify(body, headers as Record<string, string>) as Event;
    } catch {
      // Perhaps with the next secret.
    }
  }
  return undefined;
}

// In production: a table with the id as its key, as in receiver.ts.
const handled = new Set<string>();

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

const server = createServer(async (request, response) => {
  try {
    const event = request.method === "POST" ? verify(await text(request), request.headers) : undefined;
    if (!event) return void response.writeHead(request.method === "POST" ? 401 : 405).end();
    // The records of a test event do not exist.
    if (!request.headers["x-webhook-test"] && !handled.has(event.id)) {
      handle(event);
      handled.add(event.id);
    }
    response.writeHead(204).end();
  } catch (error) {
    // The event comes again.
    console.error(error);
    response.writeHead(500).end();
  }
});
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => console.log("Ready"));
